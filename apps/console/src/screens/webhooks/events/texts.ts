import { messages } from '../../../app/messages.ts';

export const EVENTS = messages({
  en: {
    text: 'Every event that an endpoint can get, with an example and the JSON Schema of its body.',
    search: 'Search',
    found: 'Event types: {count}',
    none: 'No event type matches',
    example: 'Example',
    schema: 'JSON Schema',
  },
  he: {
    text: 'כל האירועים שנקודת קצה יכולה לקבל, עם דוגמה ועם סכמת JSON של התוכן.',
    search: 'חיפוש',
    found: 'סוגי אירועים: {count}',
    none: 'אין סוג אירוע מתאים',
    example: 'דוגמה',
    schema: 'סכמת JSON',
  },
});
