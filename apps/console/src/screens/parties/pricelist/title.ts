import { messages } from '../../../app/messages.ts';

export const PRICELIST_TITLE = messages({ en: { title: 'Pricelist' }, he: { title: 'מחירון' } });
