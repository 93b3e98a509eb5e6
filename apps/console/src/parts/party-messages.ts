import { messages } from '../app/messages.ts';

export const PARTY = messages({
  en: { party: 'Client or vendor', find: 'Type a part of the name, tax id or e-mail', numbered: 'No. {id}' },
  he: { party: 'לקוח או ספק', find: 'אפשר להקליד חלק מהשם, ממספר העוסק או מהדוא״ל', numbered: 'מס׳ {id}' },
});
