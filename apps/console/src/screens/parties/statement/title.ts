import { messages } from '../../../app/messages.ts';

export const STATEMENT_TITLE = messages({
  en: { title: 'Statement of account' },
  he: { title: 'דף חשבון' },
});
