import { messages } from '../../../app/messages.ts';

export const STOCK_RECORD_TITLE = messages({ en: { title: 'Stock record' }, he: { title: 'רשומת מלאי' } });
