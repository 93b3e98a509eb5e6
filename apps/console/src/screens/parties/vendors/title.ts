import { messages } from '../../../app/messages.ts';

export const VENDORS_TITLE = messages({ en: { title: 'Vendors' }, he: { title: 'ספקים' } });
