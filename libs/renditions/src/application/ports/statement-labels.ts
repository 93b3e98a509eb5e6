import { type DocumentLanguage, inBothLanguages } from '@counterfoil/kernel';

/** The words of a statement of account that the labels of documents do not have. */
export interface StatementLabels {
  readonly title: string;
  readonly currency: string;
  readonly entry: string;
  readonly debit: string;
  readonly credit: string;
  readonly balance: string;
  readonly openingBalance: string;
  readonly closingBalance: string;
  readonly totalDebit: string;
  readonly totalCredit: string;
  /** Of documents that were closed by a call. */
  readonly closing: string;
  /** Of invoices that were closed by a call, and are credited later. */
  readonly closingTakenBack: string;
  readonly unallocatedCredit: string;
  readonly ageing: string;
  readonly asOf: string;
  readonly notDue: string;
  readonly days: string;
  readonly over90: string;
  readonly open: string;
}

const ONE_LANGUAGE = {
  en: {
    title: 'Statement of account',
    currency: 'Currency',
    entry: 'Entry',
    debit: 'Debit',
    credit: 'Credit',
    balance: 'Balance',
    openingBalance: 'Opening balance',
    closingBalance: 'Closing balance',
    totalDebit: 'Total debit',
    totalCredit: 'Total credit',
    closing: 'Closed:',
    closingTakenBack: 'Closing taken back:',
    unallocatedCredit: 'Credit not yet allocated',
    ageing: 'Open amounts by days overdue',
    asOf: 'As of',
    notDue: 'Not due',
    days: 'days',
    over90: 'Over 90 days',
    open: 'Total open',
  },
  he: {
    title: 'מצב חשבון',
    currency: 'מטבע',
    entry: 'תנועה',
    debit: 'חובה',
    credit: 'זכות',
    balance: 'יתרה',
    openingBalance: 'יתרת פתיחה',
    closingBalance: 'יתרת סגירה',
    totalDebit: 'סה״כ חובה',
    totalCredit: 'סה״כ זכות',
    closing: 'נסגר:',
    closingTakenBack: 'ביטול סגירה:',
    unallocatedCredit: 'זכות שטרם שויכה',
    ageing: 'יתרות פתוחות לפי ימי פיגור',
    asOf: 'נכון ליום',
    notDue: 'טרם הגיע מועד התשלום',
    days: 'ימים',
    over90: 'מעל 90 ימים',
    open: 'סה״כ פתוח',
  },
} as const satisfies Readonly<Record<string, StatementLabels>>;

export const STATEMENT_LABELS: Readonly<Record<DocumentLanguage, StatementLabels>> = {
  ...ONE_LANGUAGE,
  both: inBothLanguages<StatementLabels>(ONE_LANGUAGE.he, ONE_LANGUAGE.en),
};
