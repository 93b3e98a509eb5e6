import { messages } from '../../../app/messages.ts';

export const ISSUE_TITLE = messages({ en: { title: 'Issue a document' }, he: { title: 'הפקת מסמך' } });
