import { messages } from '../../app/messages.ts';

export const KEYS_TITLE = messages({ en: { title: 'API keys' }, he: { title: 'מפתחות API' } });
