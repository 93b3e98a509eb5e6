import { messages } from '../../app/messages.ts';

export const EXPENSES_TITLE = messages({ en: { title: 'Expenses' }, he: { title: 'הוצאות' } });
