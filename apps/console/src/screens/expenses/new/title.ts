import { messages } from '../../../app/messages.ts';

export const NEW_EXPENSE_TITLE = messages({ en: { title: 'New expense' }, he: { title: 'הוצאה חדשה' } });
