import { messages } from '../../../app/messages.ts';

export const CLIENT_TITLE = messages({ en: { title: 'Client' }, he: { title: 'לקוח' } });
