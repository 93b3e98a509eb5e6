import type { DocumentType, PaymentMeans } from '@counterfoil/documents';
import { inBothLanguages, type PlainDate } from '@counterfoil/kernel';

/** The texts of a printed document in one language, for each format that shows it. */
export interface DocumentPageLabels {
  readonly lang: string;
  readonly dir: 'ltr' | 'rtl';
  readonly types: Readonly<Record<DocumentType, string>>;
  readonly methods: Readonly<Record<PaymentMeans, string>>;
  /** The text before the number; empty if the number follows the type. */
  readonly number: string;
  /** Marks a page of a document that is not issued. */
  readonly preview: string;
  readonly taxId: string;
  readonly recipient: string;
  readonly issueDate: string;
  readonly dueDate: string;
  readonly externalId: string;
  readonly items: string;
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly discount: string;
  readonly vat: string;
  readonly lineTotal: string;
  readonly totals: string;
  readonly amountBeforeVat: string;
  readonly rounding: string;
  readonly totalWithVat: string;
  readonly total: string;
  readonly payments: string;
  readonly method: string;
  readonly date: string;
  readonly amount: string;
  readonly notes: string;
  readonly original: string;
  readonly copy: string;
  /** Across each page of a document that is not issued. */
  readonly previewWatermark: string;
  /** Across each page of a cancelled document. */
  readonly cancelledStamp: string;
  readonly cancelled: string;
  readonly cancellationReason: string;
  readonly allocationNumber: string;
  /** In place of an allocation number that the tax authority has not decided about. */
  readonly allocationNumberPending: string;
  /** The period of a retainer. */
  readonly period: string;
  readonly vatByRate: string;
  readonly vatRate: string;
  /** The sum before VAT of the lines with one rate. */
  readonly vatBase: string;
  /** Before the sum of the lines on earlier pages. */
  readonly carriedForward: string;
  readonly pays: string;
  readonly credits: string;
  readonly replaces: string;
  readonly settledDocument: string;
  readonly phone: string;
  readonly bankDetails: string;
  /** Of a bank, before its number. */
  readonly branch: string;
  /** Before a rate. */
  readonly taxWithheld: string;
  readonly payableAfterWithholding: string;
  /** Before the number of a page. */
  readonly page: string;
  /** Between the number of a page and the number of pages. */
  readonly of: string;
  /** A date in the format of this language. */
  shownDate(date: PlainDate): string;
}

export const ENGLISH: DocumentPageLabels = {
  lang: 'en',
  dir: 'ltr',
  types: {
    TAX_INVOICE: 'Tax invoice',
    TAX_INVOICE_RECEIPT: 'Tax invoice and receipt',
    RECEIPT: 'Receipt',
    REFUND: 'Credit note',
    RETURN: 'Return note',
    PROFORMA: 'Proforma invoice',
    QUOTE: 'Quote',
    ORDER: 'Order',
    DELIVERY_NOTE: 'Delivery note',
  },
  methods: {
    CASH: 'Cash',
    CHECK: 'Check',
    BANK_TRANSFER: 'Bank transfer',
    CREDIT_CARD: 'Credit card',
    OTHER: 'Other',
  },
  number: 'no.',
  preview: 'Preview: not issued, no number',
  taxId: 'Tax ID',
  recipient: 'To',
  issueDate: 'Date',
  dueDate: 'Due',
  externalId: 'Reference',
  items: 'Items',
  description: 'Description',
  quantity: 'Quantity',
  unitPrice: 'Unit price',
  discount: 'Discount',
  vat: 'VAT',
  lineTotal: 'Total before VAT',
  totals: 'Totals',
  amountBeforeVat: 'Total before VAT',
  rounding: 'Rounding',
  totalWithVat: 'Total including VAT',
  total: 'Total',
  payments: 'Payments',
  method: 'Method',
  date: 'Date',
  amount: 'Amount',
  notes: 'Notes',
  original: 'Original',
  copy: 'Copy',
  previewWatermark: 'PREVIEW',
  cancelledStamp: 'CANCELLED',
  cancelled: 'Cancelled',
  cancellationReason: 'Reason',
  allocationNumber: 'Allocation number',
  allocationNumberPending: 'requested from the tax authority',
  period: 'Period',
  vatByRate: 'VAT by rate',
  vatRate: 'Rate',
  vatBase: 'Before VAT',
  carriedForward: 'Carried forward',
  pays: 'Pays',
  credits: 'Credits',
  replaces: 'Replaces',
  settledDocument: 'Document',
  phone: 'Phone',
  bankDetails: 'Bank details',
  branch: 'branch',
  taxWithheld: 'Tax to be withheld',
  payableAfterWithholding: 'To be paid after withholding',
  page: 'Page',
  of: 'of',
  // ISO format, because 05/06 is in May for some readers of English and in June for others.
  shownDate: (date) => date,
};

export const HEBREW: DocumentPageLabels = {
  lang: 'he',
  dir: 'rtl',
  types: {
    TAX_INVOICE: 'חשבונית מס',
    TAX_INVOICE_RECEIPT: 'חשבונית מס קבלה',
    RECEIPT: 'קבלה',
    REFUND: 'חשבונית זיכוי',
    RETURN: 'תעודת החזרה',
    PROFORMA: 'חשבון עסקה',
    QUOTE: 'הצעת מחיר',
    ORDER: 'הזמנה',
    DELIVERY_NOTE: 'תעודת משלוח',
  },
  methods: {
    CASH: 'מזומן',
    CHECK: 'המחאה',
    BANK_TRANSFER: 'העברה בנקאית',
    CREDIT_CARD: 'כרטיס אשראי',
    OTHER: 'אחר',
  },
  number: 'מס׳',
  preview: 'תצוגה מקדימה, לא הופק',
  taxId: 'ח.פ. / ע.מ.',
  recipient: 'לכבוד',
  issueDate: 'תאריך',
  dueDate: 'לתשלום עד',
  externalId: 'סימוכין',
  items: 'פריטים',
  description: 'תיאור',
  quantity: 'כמות',
  unitPrice: 'מחיר ליחידה',
  discount: 'הנחה',
  vat: 'מע״מ',
  lineTotal: 'סה״כ לפני מע״מ',
  totals: 'סיכום',
  amountBeforeVat: 'סה״כ לפני מע״מ',
  rounding: 'עיגול',
  totalWithVat: 'סה״כ כולל מע״מ',
  total: 'סה״כ',
  payments: 'תשלומים',
  method: 'אמצעי תשלום',
  date: 'תאריך',
  amount: 'סכום',
  notes: 'הערות',
  original: 'מקור',
  copy: 'העתק',
  previewWatermark: 'תצוגה מקדימה',
  cancelledStamp: 'מבוטל',
  cancelled: 'המסמך מבוטל',
  cancellationReason: 'סיבה',
  allocationNumber: 'מספר הקצאה',
  allocationNumberPending: 'התבקש מרשות המסים',
  period: 'תקופה',
  vatByRate: 'מע״מ לפי שיעור',
  vatRate: 'שיעור',
  vatBase: 'לפני מע״מ',
  carriedForward: 'העברה מעמוד קודם',
  pays: 'תשלום עבור',
  credits: 'זיכוי עבור',
  replaces: 'במקום',
  settledDocument: 'מסמך',
  phone: 'טלפון',
  bankDetails: 'פרטי בנק',
  branch: 'סניף',
  taxWithheld: 'ניכוי מס במקור',
  payableAfterWithholding: 'לתשלום לאחר ניכוי מס',
  page: 'עמוד',
  of: 'מתוך',
  shownDate: (date) => date.split('-').reverse().join('/'),
};

export const BOTH: DocumentPageLabels = {
  ...inBothLanguages(HEBREW, ENGLISH),
  ...{ lang: HEBREW.lang, dir: HEBREW.dir, number: '' },
  ...{ page: `${HEBREW.page} · ${ENGLISH.page}`, of: '/' },
  // Readers of both languages understand ISO format.
  shownDate: (date) => ENGLISH.shownDate(date),
};
