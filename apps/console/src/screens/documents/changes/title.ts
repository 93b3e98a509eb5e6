import { messages } from '../../../app/messages.ts';

export const CHANGES_TITLE = messages({ en: { title: 'Changes' }, he: { title: 'שינויים' } });
