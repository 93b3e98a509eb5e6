import { messages } from '../app/messages.ts';

export const LEAVE = messages({
  en: {
    question: 'Leave without saving?',
    text: 'What you changed on this page is not saved yet.',
    stay: 'Stay',
    leave: 'Leave',
  },
  he: {
    question: 'לצאת בלי לשמור?',
    text: 'השינויים בדף הזה עדיין לא נשמרו.',
    stay: 'להישאר',
    leave: 'לצאת',
  },
});
