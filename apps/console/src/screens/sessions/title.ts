import { messages } from '../../app/messages.ts';

export const SESSIONS_TITLE = messages({ en: { title: 'Sessions' }, he: { title: 'חיבורים' } });
