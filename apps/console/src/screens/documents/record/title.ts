import { messages } from '../../../app/messages.ts';

export const DOCUMENT_TITLE = messages({ en: { title: 'Document' }, he: { title: 'מסמך' } });
