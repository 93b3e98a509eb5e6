import { messages } from '../../app/messages.ts';

export const TODAY_TITLE = messages({ en: { title: 'Today' }, he: { title: 'היום' } });
