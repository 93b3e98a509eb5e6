import { messages } from '../../../app/messages.ts';

export const STOCK_TITLE = messages({ en: { title: 'Stock' }, he: { title: 'מלאי' } });
