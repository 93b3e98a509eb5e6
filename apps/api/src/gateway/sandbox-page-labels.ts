import type { PaymentPageStatus } from '@counterfoil/payments';

/** The texts of the sandbox's page in one language. */
export interface SandboxPageLabels {
  readonly lang: string;
  readonly dir: 'ltr' | 'rtl';
  readonly title: string;
  /** A notice that no money moves. */
  readonly sandbox: string;
  readonly payTo: string;
  readonly description: string;
  readonly amount: string;
  readonly status: string;
  readonly statuses: Readonly<Record<PaymentPageStatus, string>>;
  readonly cards: string;
  readonly noNumbers: string;
  /** Shown if scripts are disabled. */
  readonly needsScript: string;
  /** The messages of the script, by outcome. */
  readonly outcomes: Readonly<Record<'busy' | 'paid' | 'pending' | 'open' | 'taken' | 'failed', string>>;
  /** The effect of each test card. A card without an entry is described in English. */
  readonly testTokens: Readonly<Record<string, string>>;
}

export const ENGLISH: SandboxPageLabels = {
  lang: 'en',
  dir: 'ltr',
  title: 'Payment',
  sandbox: 'Sandbox: no money moves.',
  payTo: 'Payment to',
  description: 'For',
  amount: 'Amount',
  status: 'Status',
  statuses: { OPEN: 'Not paid', PENDING: 'Being settled', PAID: 'Paid' },
  cards: 'Pay with a test card',
  noNumbers: 'There is no field for the number of a card: do not type one anywhere.',
  needsScript: 'To pay, allow this page to run its script.',
  outcomes: {
    busy: 'One moment…',
    paid: 'Paid. Thank you.',
    pending:
      'The provider has not answered yet. Do not pay again now; open this page again later to see what came of it.',
    open: 'The card was declined. Nothing was paid; try another one.',
    taken: 'This page is paid already, or is just being paid. Open it again to see.',
    failed: 'That did not work. Nothing may have been paid; open the page again to see.',
  },
  testTokens: {},
};

export const HEBREW: SandboxPageLabels = {
  lang: 'he',
  dir: 'rtl',
  title: 'תשלום',
  sandbox: 'סביבת בדיקות: לא עובר כסף.',
  payTo: 'תשלום אל',
  description: 'עבור',
  amount: 'סכום',
  status: 'מצב',
  statuses: { OPEN: 'לא שולם', PENDING: 'בבירור', PAID: 'שולם' },
  cards: 'תשלום בכרטיס בדיקה',
  noNumbers: 'אין כאן שדה למספר כרטיס: אין להקליד מספר כזה בשום מקום.',
  needsScript: 'כדי לשלם, יש לאפשר לדף להריץ את הסקריפט שלו.',
  outcomes: {
    busy: 'רק רגע…',
    paid: 'שולם. תודה.',
    pending: 'הספק עדיין לא השיב. אין לשלם שוב כעת; כדי לראות את התוצאה, יש לפתוח את הדף שוב מאוחר יותר.',
    open: 'הכרטיס נדחה. לא שולם דבר; אפשר לנסות כרטיס אחר.',
    taken: 'הדף כבר שולם, או שמשלמים בו כעת. כדי לראות, יש לפתוח אותו שוב.',
    failed: 'הפעולה לא הצליחה. ייתכן שלא שולם דבר; כדי לראות, יש לפתוח את הדף שוב.',
  },
  testTokens: {
    tok_approved: 'הכול מאושר.',
    tok_declined: 'חיובים נדחים.',
    tok_timeout: 'שום תשובה לא מגיעה. כששואלים שוב, הספק אומר שהכול אושר.',
    tok_lost: 'שום תשובה לא מגיעה. כששואלים שוב, הספק אומר שהחיוב נדחה.',
    tok_authorize_only: 'הסכום נתפס, וכסף נגבה רק כשמבקשים זאת.',
    tok_capture_declined: 'חיובים מאושרים, וגבייה של סכום שנתפס נדחית.',
    tok_refund_declined: 'חיובים מאושרים, והחזרים נדחים.',
  },
};
