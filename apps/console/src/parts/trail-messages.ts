import { messages } from '../app/messages.ts';

export const TRAIL = messages({ en: { above: 'Pages above' }, he: { above: 'דפים מעל' } });
