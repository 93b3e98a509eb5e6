import { messages } from '../app/messages.ts';

export const RECORDS = messages({
  en: {
    required: 'This field is needed.',
    number: 'Enter a number, such as 17.5.',
    emptied: 'This field can be changed, but not cleared.',
    changed: 'Will be changed',
    cleared: 'Will be cleared',
    defaulted: 'Will follow the company’s default',
    sent: 'What will be sent. Fields that you do not touch are left out, and stay as they are.',
    nothing: 'Nothing has changed yet.',
  },
  he: {
    required: 'שדה חובה.',
    number: 'יש להזין מספר, למשל 17.5.',
    emptied: 'אפשר לשנות את השדה הזה, אך לא לרוקן אותו.',
    changed: 'ישתנה',
    cleared: 'ירוקן',
    defaulted: 'יחזור לברירת המחדל של החברה',
    sent: 'זה מה שיישלח. שדות שלא נגעת בהם אינם נשלחים, ונשארים כפי שהם.',
    nothing: 'עדיין לא השתנה דבר.',
  },
});
