import { messages } from '../../app/messages.ts';

export const COMPANY_TITLE = messages({ en: { title: 'Company' }, he: { title: 'החברה' } });
