import { messages } from '../../app/messages.ts';

export const PAYMENTS_TITLE = messages({ en: { title: 'Payments' }, he: { title: 'תשלומים' } });
export const CHARGE_TITLE = messages({ en: { title: 'Charge' }, he: { title: 'חיוב' } });
export const CARDS_TITLE = messages({ en: { title: 'Saved cards' }, he: { title: 'כרטיסים שמורים' } });
export const PAYMENT_PAGES_TITLE = messages({
  en: { title: 'Payment pages' },
  he: { title: 'דפי תשלום' },
});
export const RECURRING_TITLE = messages({
  en: { title: 'Recurring payments' },
  he: { title: 'תשלומים חוזרים' },
});
