import { messages } from '../../../app/messages.ts';

export const EXPENSE_TITLE = messages({ en: { title: 'Expense' }, he: { title: 'הוצאה' } });
