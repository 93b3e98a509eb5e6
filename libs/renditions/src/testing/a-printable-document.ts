import type { PrintableDocument, PrintableIssuer } from '../application/ports/printable-document';

const ISSUER: PrintableIssuer = {
  name: 'Cedar Workshop',
  legalName: 'Cedar Workshop Ltd',
  taxId: '514123456',
  addressLines: ['12 Harbour Street', 'Haifa 3303112'],
  phone: '+972-4-555-0142',
  email: 'billing@cedar.example',
  website: 'https://cedar.example',
  bankAccounts: [{ label: 'Bank Leumi, branch 800', value: 'IL62 0108 0000 0009 9999 999' }],
  footer: 'Thank you for your business.',
  accentColor: null,
  logo: null,
};

type Overrides = Partial<Omit<PrintableDocument, 'issuer'>> & { readonly issuer?: Partial<PrintableIssuer> };

export function aPrintableDocument({ issuer, ...overrides }: Overrides = {}): PrintableDocument {
  return {
    type: 'TAX_INVOICE',
    number: 1042,
    language: 'en',
    stamp: 'original',
    cancellation: null,
    issueDate: '2026-11-22',
    dueDate: '2026-12-22',
    currency: 'ILS',
    externalId: 'PO-7781',
    allocationNumber: '123456789',
    allocationNumberPending: false,
    issuer: { ...ISSUER, ...issuer },
    recipient: {
      name: 'Blue Lantern Books',
      taxId: '520000472',
      addressLines: ['7 Olive Lane', 'Tel Aviv 6436101'],
    },
    items: [
      {
        description: 'Oak shelf, 90 cm',
        quantity: 4,
        unitPrice: 312.5,
        discountPercent: 10,
        vatRate: 18,
        lineTotal: 1_125,
      },
      {
        description: 'Delivery',
        quantity: 1.5,
        unitPrice: 80.0125,
        discountPercent: 0,
        vatRate: 0,
        lineTotal: 120.02,
      },
    ],
    vatByRate: [
      { rate: 18, base: 1_125, tax: 202.5 },
      { rate: 0, base: 120.02, tax: 0 },
    ],
    amount: 1_245.02,
    tax: 202.5,
    rounding: 0.48,
    totalWithTax: 1_448,
    withheld: null,
    payments: [],
    settles: [],
    period: null,
    notes: null,
    eInvoice: null,
    createdAt: new Date('2026-11-22T09:30:00Z'),
    ...overrides,
  };
}
