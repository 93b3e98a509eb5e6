import { type DocumentLanguage, inBothLanguages } from '@counterfoil/kernel';
import type { ClosedShare, Standing, WayToPay } from '@counterfoil/sharing';

/** The texts above a shared document in one language. */
export interface SharePageLabels {
  readonly status: string;
  /** A date follows `DUE` and `OVERDUE`, if there is one. Null: the document has no state that concerns its reader. */
  readonly standings: Readonly<Record<Standing['kind'], string | null>>;
  /** In place of `DUE` if there is no date. */
  readonly unpaid: string;
  readonly toPay: string;
  readonly paidSoFar: string;
  /** Before the amount that the payment page takes. */
  readonly pay: string;
  /** Before the amount. */
  readonly payments: Readonly<Record<Exclude<WayToPay['kind'], 'PAYABLE'>, string>>;
  readonly receiptFollows: string;
  /** Before the day of the status. */
  readonly asOf: string;
  readonly pdf: string;
  /** Before the last day of the link. */
  readonly availableUntil: string;
}

const ENGLISH: SharePageLabels = {
  status: 'Status',
  standings: {
    ISSUED: null,
    OPEN: 'Open',
    DUE: 'Due on',
    OVERDUE: 'Overdue since',
    PAID: 'Paid',
    SETTLED: 'Settled: nothing is due',
    CLOSED: 'Closed',
    CANCELLED: 'Cancelled',
  },
  unpaid: 'Not paid yet',
  toPay: 'To pay',
  paidSoFar: 'Paid or credited so far',
  pay: 'Pay',
  payments: { PENDING: 'A payment is being processed', PAID: 'Paid online' },
  receiptFollows: 'The receipt follows.',
  asOf: 'As of',
  pdf: 'Download as PDF',
  availableUntil: 'This page is available until',
};

const HEBREW: SharePageLabels = {
  status: 'מצב',
  standings: {
    ISSUED: null,
    OPEN: 'פתוח',
    DUE: 'לתשלום עד',
    OVERDUE: 'באיחור מאז',
    PAID: 'שולם',
    SETTLED: 'הוסדר: אין יתרה לתשלום',
    CLOSED: 'סגור',
    CANCELLED: 'מבוטל',
  },
  unpaid: 'טרם שולם',
  toPay: 'לתשלום',
  paidSoFar: 'שולם או זוכה עד כה',
  pay: 'לתשלום מקוון',
  payments: { PENDING: 'תשלום בתהליך', PAID: 'שולם באתר' },
  receiptFollows: 'הקבלה תישלח בהמשך.',
  asOf: 'נכון ליום',
  pdf: 'הורדה כ־PDF',
  availableUntil: 'הדף זמין עד',
};

export const SHARE_PAGE_LABELS: Readonly<Record<DocumentLanguage, SharePageLabels>> = {
  en: ENGLISH,
  he: HEBREW,
  both: inBothLanguages(HEBREW, ENGLISH),
};

/** The reasons why a link shows no document. */
export type NoDocument = ClosedShare['how'] | 'unknown' | 'busy';

/** The language of a visitor is not known, so each is told in both. */
export const NO_DOCUMENT: Readonly<Record<NoDocument, Readonly<Record<'en' | 'he', string>>>> = {
  expired: {
    en: 'This link has expired. Ask its sender for a new one.',
    he: 'תוקף הקישור פג. בקשו קישור חדש מהשולח.',
  },
  revoked: {
    en: 'This link has been revoked by its sender.',
    he: 'הקישור בוטל על ידי השולח.',
  },
  unknown: {
    en: 'There is no document here. Check that the link is complete.',
    he: 'אין כאן מסמך. בדקו שהקישור שלם.',
  },
  busy: {
    en: 'The document cannot be shown right now. Try again in a minute.',
    he: 'לא ניתן להציג את המסמך כרגע. נסו שוב בעוד דקה.',
  },
};
