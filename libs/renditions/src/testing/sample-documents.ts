import { DOCUMENT_TYPES, type DocumentType, type PaymentMeans } from '@counterfoil/documents';
import type { DocumentLanguage } from '@counterfoil/kernel';
import type { PrintableDocument } from '../application/ports/printable-document';
import { unasked } from '../application/document-to-print';
import { computedDocument, type Overrides } from './computed-document';
import { jpegLogo, pngLogo } from './sample-logos';
import {
  HEBREW_ISSUER,
  HEBREW_NOTES,
  HEBREW_RECIPIENT,
  LONG_WORD,
  manyLines,
  manyPayments,
  MIXED_ENGLISH,
  MIXED_HEBREW,
  MIXED_RECIPIENT,
  SYMBOLS,
} from './sample-texts';

export interface Sample {
  /** Lower case with hyphens: the name of its file. */
  readonly name: string;
  readonly document: PrintableDocument;
}

type Drawn = readonly [name: string, language: DocumentLanguage, overrides: Overrides];

/**
 * Documents with every part of the page, in each language and in both, from ordinary to extreme. They are the same at
 * each call. `npm run document-pictures` shows them.
 */
export async function sampleDocuments(): Promise<Sample[]> {
  const drawn = [
    ...ofEveryType(),
    ...bilingual(),
    ...marked(),
    ...figures(),
    ...texts(),
    ...long(),
    ...(await logos()),
  ];
  return drawn.map(([name, language, overrides]) => {
    const document = computedDocument({
      language,
      ...partiesOf(language),
      ...overrides,
      issuer: { ...(language === 'en' ? {} : HEBREW_ISSUER), ...overrides.issuer },
    });
    const issuer = { ...document.issuer, ...unasked(document) };
    return { name: `${name}-${language}`, document: { ...document, issuer } };
  });
}

const partiesOf = (language: DocumentLanguage): Overrides =>
  language === 'en' ? {} : { recipient: HEBREW_RECIPIENT };

const textsOf = (language: DocumentLanguage) => (language === 'en' ? MIXED_ENGLISH : MIXED_HEBREW);
const lines = (language: DocumentLanguage, count = 4) =>
  textsOf(language)
    .slice(0, count)
    .map((description, at) => ({ description, quantity: at + 1, unitPrice: 120.5 * (at + 1) }));

const NOTES: readonly (string | null)[] = [
  null,
  'No. 12-345678, בנק לאומי 10-800',
  null,
  '•••• 4242',
  'ניכוי מס במקור',
];
const MEANS: readonly PaymentMeans[] = ['CASH', 'CHECK', 'BANK_TRANSFER', 'CREDIT_CARD', 'OTHER'];
const payments = MEANS.map((method, at) => ({
  ...{ method, amount: 100.1 * (at + 1), date: `2026-11-2${at}`, note: NOTES[at] ?? null },
}));

const receiptOf = (totalWithTax: number) =>
  ({ type: 'RECEIPT', dueDate: null, allocationNumber: null, totalWithTax }) as const;

const PARTS: Readonly<Record<DocumentType, (language: DocumentLanguage) => Overrides>> = {
  TAX_INVOICE: (language) => ({ lines: lines(language), notes: language === 'he' ? HEBREW_NOTES : null }),
  TAX_INVOICE_RECEIPT: (language) => ({
    lines: lines(language, 2),
    payments: payments.slice(2, 4),
    dueDate: null,
  }),
  RECEIPT: () => ({
    ...{ ...receiptOf(1_501.5), payments },
    settles: [
      { type: 'TAX_INVOICE', number: 1041, amount: 1_000 },
      { type: 'PROFORMA', number: 77, amount: 501.5 },
    ],
  }),
  REFUND: (language) => ({
    ...{ lines: lines(language, 1), dueDate: null, allocationNumber: null },
    settles: [{ type: 'TAX_INVOICE', number: 1041, amount: null }],
  }),
  RETURN: (language) => ({
    ...{ lines: lines(language, 2), dueDate: null, allocationNumber: null },
    settles: [{ type: 'DELIVERY_NOTE', number: 9, amount: null }],
  }),
  PROFORMA: (language) => ({ lines: lines(language, 3), allocationNumber: null, externalId: null }),
  QUOTE: (language) => ({ lines: lines(language, 5), allocationNumber: null, recipient: MIXED_RECIPIENT }),
  ORDER: (language) => ({
    ...{ lines: lines(language, 2), allocationNumber: null, dueDate: null },
    withheld: { rate: 5, base: 'with_vat', amount: 35.55 },
    settles: [{ type: 'QUOTE', number: 12, amount: null }],
  }),
  DELIVERY_NOTE: (language) => ({ lines: lines(language, 3), allocationNumber: null, dueDate: null }),
};

const EACH = ['he', 'en'] as const;
const inEach = (name: string, make: (language: DocumentLanguage) => Overrides): Drawn[] =>
  EACH.map((language) => [name, language, make(language)]);

const ofEveryType = (): Drawn[] =>
  DOCUMENT_TYPES.flatMap((type) =>
    inEach(type.toLowerCase().replaceAll('_', '-'), (language) => ({ type, ...PARTS[type](language) })),
  );

const RATES: Overrides['lines'] = [18, 17, 8.5, 0, 18].map((vatRate, at) => ({
  ...{ description: MIXED_HEBREW[at] ?? '', vatRate, quantity: 1.25, unitPrice: 99.9875 },
  discountPercent: at * 12.5,
}));

/** 7: with the words of both languages. */
const bilingual = (): Drawn[] => [
  ['tax-invoice', 'both', { ...PARTS.TAX_INVOICE('both'), lines: lines('both'), notes: HEBREW_NOTES }],
  ['receipt', 'both', { type: 'RECEIPT', ...PARTS.RECEIPT('both') }],
  ['vat-rates', 'both', { rounding: -0.04, lines: RATES, stamp: 'copy' }],
  [
    'order',
    'both',
    {
      ...{
        ...PARTS.ORDER('both'),
        type: 'ORDER',
        withheld: { rate: 5, base: 'with_vat', amount: 12_345_678.9 },
      },
      lines: [18, 17, 0].map((vatRate, at) => ({
        ...{ description: MIXED_HEBREW[at] ?? '', vatRate, unitPrice: 99_999_999.99 },
      })),
    },
  ],
  ['preview', 'both', { lines: lines('both'), stamp: 'preview', number: null, allocationNumber: null }],
  [
    'cancelled-receipt',
    'both',
    { type: 'RECEIPT', ...PARTS.RECEIPT('both'), cancellation: { reason: 'הצ׳ק חזר (12-345678)' } },
  ],
  ['three-pages', 'both', { lines: manyLines(60, MIXED_HEBREW), recipient: MIXED_RECIPIENT }],
];

/** 10: stamps, warnings, and states of the allocation number. */
const marked = (): Drawn[] => [
  ...inEach('cancelled-receipt', (language) => ({
    ...{ ...receiptOf(1_501.5), payments },
    cancellation: {
      reason:
        language === 'he'
          ? 'הצ׳ק חזר (12-345678), ראו מייל מ-22/11/2026'
          : 'The check bounced (no. 12-345678)',
    },
  })),
  [
    'void-refund',
    'he',
    { type: 'REFUND', lines: lines('he', 1), cancellation: { reason: null }, stamp: 'copy' },
  ],
  ['void-refund', 'en', { type: 'REFUND', lines: lines('en', 1), cancellation: { reason: 'x'.repeat(300) } }],
  ...inEach('copy', (language) => ({ lines: lines(language), stamp: 'copy' })),
  ...inEach('preview', (language) => ({
    lines: lines(language),
    stamp: 'preview',
    number: null,
    allocationNumber: null,
  })),
  ...inEach('allocation-pending', (language) => ({
    ...{ lines: lines(language), allocationNumber: null, allocationNumberPending: true },
    period: { from: '2026-11-01', until: '2026-11-30' },
  })),
];

/** 6: rates, discounts, rounding, currencies, and the largest amounts. */
const figures = (): Drawn[] => [
  ...inEach('vat-rates', (language) => ({
    rounding: -0.04,
    lines: [18, 17, 8.5, 0, 18].map((vatRate, at) => ({
      ...{ description: textsOf(language)[at] ?? '', vatRate, quantity: 1.25, unitPrice: 99.9875 },
      discountPercent: at * 12.5,
    })),
  })),
  ...inEach('largest-figures', (language) => ({
    ...{ currency: 'USD', number: 999_999_999_999, rounding: 0.49 },
    lines: [
      {
        description: textsOf(language)[0] ?? '',
        quantity: 99_999_999.9999,
        unitPrice: 99.9999,
        discountPercent: 99.9999,
      },
      { description: textsOf(language)[1] ?? '', quantity: 1, unitPrice: 700_000_000_000.5, vatRate: 0.0001 },
    ],
  })),
  [
    'small-figures',
    'he',
    { currency: 'JPY', lines: [{ description: 'דגימה', quantity: 0.0001, unitPrice: 0.0001 }] },
  ],
  [
    'nothing',
    'en',
    { currency: 'EUR', lines: [{ description: 'Free', unitPrice: 0, discountPercent: 100 }] },
  ],
];

/** 7: long words, many lines, symbols, and missing parts. */
const texts = (): Drawn[] => [
  [
    'symbols',
    'en',
    { lines: [{ description: SYMBOLS }], notes: SYMBOLS, recipient: { ...MIXED_RECIPIENT, name: SYMBOLS } },
  ],
  ...inEach('long-words', (language) => ({
    issuer: { name: `${LONG_WORD}${LONG_WORD}`, email: `${'e'.repeat(60)}@${'d'.repeat(60)}.example` },
    recipient: { name: 'ש'.repeat(120), taxId: '5'.repeat(60), addressLines: ['Ä'.repeat(150)] },
    ...{ externalId: 'R'.repeat(64), notes: `${textsOf(language)[0]} ${LONG_WORD}` },
    lines: [
      { description: LONG_WORD },
      { description: 'ארוך'.repeat(60), quantity: 1_234_567.89, unitPrice: 1 },
    ],
  })),
  ...inEach('many-text-lines', (language) => ({
    lines: [
      { description: textsOf(language).join('\n') },
      {
        description: Array.from({ length: 20 }, (_, at) => `${at + 1}) ${textsOf(language)[at % 5]}`).join(
          '\n',
        ),
      },
    ],
    notes: Array.from({ length: 30 }, (_, at) => `${at + 1}. ${textsOf(language)[at % 5]}`).join('\n'),
    issuer: {
      footer: Array.from({ length: 6 }, (_, at) => `${at + 1}: ${textsOf(language)[at % 5]}`).join('\n'),
    },
  })),
  ...inEach('few-parts', (language) => ({
    ...{ externalId: null, dueDate: null, allocationNumber: null, lines: lines(language, 1) },
    recipient: { name: language === 'he' ? 'לקוח מזדמן' : 'A customer', taxId: null, addressLines: [] },
    issuer: {
      ...{ legalName: null, taxId: null, addressLines: [], phone: null, email: null, website: null },
      ...{ bankAccounts: [], footer: null },
    },
  })),
];

/** 5: of some, and of forty pages. */
const long = (): Drawn[] => [
  ['three-pages', 'he', { lines: manyLines(60, MIXED_HEBREW), notes: HEBREW_NOTES }],
  ['twelve-pages', 'en', { lines: manyLines(275, MIXED_ENGLISH) }],
  ['twenty-pages', 'he', { lines: manyLines(540, MIXED_HEBREW), stamp: 'copy' }],
  ['forty-pages', 'en', { lines: manyLines(970, MIXED_ENGLISH), payments }],
  ['many-payments', 'he', { ...receiptOf(600), payments: manyPayments(60) }],
];

/** 6: wide, high and turned logos, with colours of companies. */
const logos = async (): Promise<Drawn[]> => [
  [
    'wide-logo',
    'he',
    {
      lines: lines('he'),
      issuer: { logo: await pngLogo({ width: 1_200, height: 200 }), accentColor: '#0b6e4f' },
    },
  ],
  [
    'wide-logo',
    'en',
    {
      lines: lines('en'),
      issuer: { logo: await pngLogo({ width: 1_200, height: 200 }), accentColor: '#ffe08a' },
    },
  ],
  [
    'high-logo',
    'he',
    {
      lines: lines('he'),
      issuer: { logo: await pngLogo({ width: 200, height: 900 }), accentColor: '#000000' },
    },
  ],
  [
    'small-logo',
    'en',
    {
      lines: lines('en'),
      issuer: { logo: await pngLogo({ width: 24, height: 24 }), accentColor: '#ffffff' },
    },
  ],
  ['turned-logo', 'he', { lines: lines('he'), issuer: { logo: await jpegLogo(6), accentColor: '#7c2d12' } }],
  ['turned-logo', 'en', { lines: lines('en', 2), issuer: { logo: await jpegLogo(7) } }],
];
