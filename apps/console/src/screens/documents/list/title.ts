import { messages } from '../../../app/messages.ts';

export const DOCUMENTS_TITLE = messages({ en: { title: 'Documents' }, he: { title: 'מסמכים' } });
