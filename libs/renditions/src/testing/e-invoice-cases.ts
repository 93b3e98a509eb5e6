import type { IssuedContent } from '@counterfoil/documents';
import { anIssuedDocument, type IssuedOverrides } from './an-issued-document';

const IBAN = { bank: 'Bank Leumi', branch: '800', account: '9999999', iban: 'IL62 0108 0000 0009 9999 999' };
const ACCOUNT = { bank: '12', branch: '600', account: '123456', iban: null };

const HOSTILE = `]]> <!-- <?xml?> &amp; &#0; <b a="1" b='2'/> <![CDATA[x]]> \u0000\u0001\u001b\u007f\u009f\ufffe\uffff \ud800 \udc00 \u202e\u2066 😀 中`;
/** Nothing of it can be printed. */
const INVISIBLE = '\u202e\u0000\u2066 ';

const HEBREW: IssuedOverrides = {
  issuer: {
    name: 'נגריית הארז',
    legalName: 'נגריית הארז בע״מ',
    address: { street: 'רחוב הנמל', houseNumber: '12', city: 'חיפה', zipCode: null, country: 'IL' },
    bankAccounts: [{ ...ACCOUNT, bank: 'בנק לאומי' }],
  },
  recipient: {
    name: 'ספרי הפנס הכחול',
    address: { street: 'סמטת הזית', houseNumber: null, city: 'תל אביב', zipCode: null, country: 'IL' },
  },
  items: [{ description: 'מדף אלון 90 ס״מ\nכולל הובלה', quantity: 1.5, unitPrice: 312.3333 }],
  notes: 'תודה!\nנא לשלם עד 22/12/2026',
};

const foreign = (country: string, taxId: string): IssuedOverrides => ({
  recipient: {
    taxId,
    address: { street: 'Main', houseNumber: '1', city: 'City', zipCode: '10115', country },
  },
});

const OVERRIDES = {
  invoice: {},
  'of a period': { periodFrom: '2026-11-22', periodUntil: '2026-12-21' },
  'of a period, paid': {
    ...{ type: 'TAX_INVOICE_RECEIPT', dueDate: null },
    ...{ periodFrom: '2026-11-22', periodUntil: '2026-11-22' },
  },
  'invoice and receipt': {
    ...{ type: 'TAX_INVOICE_RECEIPT', dueDate: null },
    payments: [{ method: 'CREDIT_CARD', amount: 473.18, date: '2026-11-22', note: null }],
    issuer: { bankAccounts: [IBAN] },
  },
  'invoice and receipt, rounded': { type: 'TAX_INVOICE_RECEIPT', dueDate: null, rounding: -0.18 },
  'credit note': {
    ...{ type: 'REFUND', dueDate: null, refundOf: 7 },
    settledAtIssue: [{ type: 'TAX_INVOICE', number: 1041, amount: null }],
    issuer: { bankAccounts: [IBAN] },
  },
  'credit note of an order': {
    ...{ type: 'REFUND', dueDate: null, refundOf: 7 },
    settledAtIssue: [{ type: 'ORDER', number: 3, amount: null }],
  },
  'return note': { type: 'RETURN', dueDate: '2026-11-30', items: [{ discountPercent: 10, quantity: 0.1 }] },
  'credit note, rounded': { type: 'REFUND', dueDate: null, rounding: 0.42 },
  'several rates': {
    items: [
      { vatRate: 18 },
      { vatRate: 17, unitPrice: 0.335, quantity: 3 },
      { vatRate: 0, unitPrice: 80.0125, quantity: 1.5 },
      { vatRate: 18, unitPrice: 0.335, quantity: 3 },
      { vatRate: 7.6923, unitPrice: 13 },
      { vatRate: 0, unitPrice: 5 },
    ],
  },
  'no VAT': { items: [{ vatRate: 0 }, { vatRate: 0, discountPercent: 5 }] },
  discounts: {
    items: [
      { discountPercent: 10, quantity: 4, unitPrice: 312.5 },
      { discountPercent: 33.3333, quantity: 3, unitPrice: 0.335 },
      { discountPercent: 0.0001, unitPrice: 9.99 },
      { discountPercent: 100, unitPrice: 75 },
      { discountPercent: 12.5, quantity: 0.3333, unitPrice: 19.9999 },
    ],
  },
  'rounded down': { items: [{ unitPrice: 99.99 }], rounding: 0.01 },
  'rounded up': { items: [{ unitPrice: 100.44 }], rounding: 0.48 },
  dollars: { currency: 'USD', ...foreign('US', '12-3456789') },
  yen: { currency: 'JPY', ...foreign('JP', 'T1234567890123') },
  'with a number of its country': { currency: 'EUR', ...foreign('DE', 'DE 123 456 789') },
  'to Greece': { currency: 'EUR', ...foreign('GR', '123456789') },
  'to Greece, with the code of the country': { currency: 'EUR', ...foreign('GR', 'gr 123456789') },
  'with a number in lower case': { currency: 'EUR', ...foreign('NL', 'nl123456789b01') },
  'with a number of another country': { currency: 'EUR', ...foreign('IL', 'GR123456789') },
  'with other letters': { issuer: { taxId: 'ע.מ. ٥١٤١٢٣٤٥٦' }, ...foreign('GR', 'ΑΦΜ 123456789') },
  'to a consumer': { recipient: { taxId: null, address: null } },
  'without addresses': { issuer: { address: null }, recipient: { address: null } },
  'with a number of punctuation': { recipient: { taxId: '---' } },
  Hebrew: HEBREW,
  'all particulars': {
    issuer: {
      ...{ legalName: 'Cedar Workshop Ltd', phoneNumber: '+972-4-555-0142', email: 'billing@cedar.example' },
      bankAccounts: [IBAN, ACCOUNT, { bank: '10', branch: null, account: '77', iban: null }],
    },
    ...{ allocationNumber: '123456789', notes: 'First note.\nSecond note.', externalId: 'PO-7781' },
  },
  'pending allocation number': { allocationNumberStatus: 'PENDING' },
  'no due date': { dueDate: null },
  'nothing to pay': { items: [{ unitPrice: 0 }] },
  'small figures': {
    items: [
      { quantity: 0.0001, unitPrice: 0.0001 },
      { quantity: 0.0001, unitPrice: 50 },
    ],
  },
  'large figures': { items: [{ quantity: 9_999_999_999.9999, unitPrice: 80 }] },
  hostile: {
    issuer: {
      name: HOSTILE,
      legalName: HOSTILE,
      phoneNumber: HOSTILE,
      email: HOSTILE,
      bankAccounts: [hostileAccount()],
    },
    recipient: { name: HOSTILE, taxId: HOSTILE },
    items: [{ description: HOSTILE }],
    ...{ notes: HOSTILE, allocationNumber: `<]]>&"'` },
  },
  'nothing to print': {
    issuer: {
      name: INVISIBLE,
      address: { street: INVISIBLE, houseNumber: null, city: INVISIBLE, zipCode: null, country: 'IL' },
    },
    recipient: { name: INVISIBLE, taxId: INVISIBLE },
    items: [{ description: INVISIBLE }],
    notes: INVISIBLE,
  },
  'long texts': {
    issuer: {
      name: 'W'.repeat(200),
      bankAccounts: [{ bank: 'b'.repeat(100), branch: null, account: '1'.repeat(40), iban: null }],
    },
    recipient: { name: 'ש'.repeat(200), taxId: '9'.repeat(20) },
    items: [{ description: 'D'.repeat(500) }, { description: 'ם\n'.repeat(250) }],
    notes: 'n\n'.repeat(1_000),
  },
  '1,000 items': {
    items: Array.from({ length: 1_000 }, (_, index) => ({
      description: `Item ${index}`,
      quantity: 1 + (index % 7) / 8,
      unitPrice: 0.0001 + index * 1.0101,
      discountPercent: index % 5 === 0 ? 12.5 : 0,
      vatRate: index % 3 === 0 ? 0 : 18,
    })),
  },
} satisfies Readonly<Record<string, IssuedOverrides>>;

function hostileAccount() {
  return { bank: HOSTILE, branch: HOSTILE, account: HOSTILE, iban: null };
}

/** Documents of every kind of which there is an e-invoice. */
export const E_INVOICE_CASES: readonly (readonly [name: string, IssuedContent])[] =
  Object.entries<IssuedOverrides>(OVERRIDES).map(([name, overrides]) => [name, anIssuedDocument(overrides)]);
