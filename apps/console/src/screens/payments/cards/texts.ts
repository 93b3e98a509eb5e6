import { messages } from '../../../app/messages.ts';

export const CARDS = messages({
  en: {
    text: 'Cards that can be charged. Their numbers are with the provider alone.',
    add: 'Save a card',
    empty: 'No saved cards',
    first: 'Save the first one, then charge it or make a recurring payment of it.',
    provider: 'Provider',
    testToken: 'Test card',
    token: 'Token of the provider',
    tokenHelp: 'From the form of the provider in the browser. Never a card number: it is refused.',
    expires: 'Valid until',
    charges: 'Charges',
    remove: 'Remove',
    removeName: 'Remove {card} ({id})',
    removeQuestion: 'Remove this card?',
    removeText:
      '{card} cannot be charged any more, and its recurring payments end. Its charges stay, and can still be refunded.',
    saved: 'The card was saved.',
    removed: 'The card was removed.',
    save: 'Save',
  },
  he: {
    text: 'כרטיסים שאפשר לחייב. המספרים נמצאים רק אצל הספק.',
    add: 'שמירת כרטיס',
    empty: 'אין כרטיסים שמורים',
    first: 'שומרים את הראשון, ואז מחייבים אותו או יוצרים ממנו תשלום חוזר.',
    provider: 'ספק',
    testToken: 'כרטיס בדיקה',
    token: 'האסימון של הספק',
    tokenHelp: 'מהטופס של הספק בדפדפן. לעולם לא מספר כרטיס: הוא נדחה.',
    expires: 'בתוקף עד',
    charges: 'חיובים',
    remove: 'הסרה',
    removeName: 'הסרה: {card} ({id})',
    removeQuestion: 'להסיר את הכרטיס?',
    removeText:
      'אי אפשר יהיה לחייב עוד את {card}, והתשלומים החוזרים שלו מסתיימים. החיובים נשארים, ואפשר עדיין להחזיר אותם.',
    saved: 'הכרטיס נשמר.',
    removed: 'הכרטיס הוסר.',
    save: 'שמירה',
  },
});
