import { messages } from '../app/messages.ts';

export const LEAVE = messages({
  en: {
    question: 'Leave without saving?',
    text: 'What you changed is not saved yet.',
    stay: 'Stay',
    leave: 'Leave',
  },
  he: {
    question: 'לצאת בלי לשמור?',
    text: 'השינויים עדיין לא נשמרו.',
    stay: 'להישאר',
    leave: 'לצאת',
  },
});
