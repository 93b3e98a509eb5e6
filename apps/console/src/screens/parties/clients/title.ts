import { messages } from '../../../app/messages.ts';

export const CLIENTS_TITLE = messages({ en: { title: 'Clients' }, he: { title: 'לקוחות' } });
