import { messages } from '../app/messages.ts';

export const PARTS = messages({
  en: {
    all: 'All',
    clear: 'Clear filters',
    searching: 'Searching…',
    nothingFound: 'Nothing found',
    searchFailed: 'The search failed. Type again.',
    required: 'This field is needed',
    optional: 'optional',
    secretStored: 'I have stored it',
  },
  he: {
    all: 'הכול',
    clear: 'ניקוי המסננים',
    searching: 'מחפש…',
    nothingFound: 'לא נמצא דבר',
    searchFailed: 'החיפוש נכשל. אפשר להקליד שוב.',
    required: 'שדה חובה',
    optional: 'לא חובה',
    secretStored: 'שמרתי אותו',
  },
});
