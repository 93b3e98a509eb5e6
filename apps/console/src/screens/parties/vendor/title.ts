import { messages } from '../../../app/messages.ts';

export const VENDOR_TITLE = messages({ en: { title: 'Vendor' }, he: { title: 'ספק' } });
