import type { Previewed } from '@counterfoil/documents';
import { anIssuedDocument, type IssuedOverrides } from '../testing/an-issued-document';
import { pageLanguageOf, previewToPrint } from './document-to-print';

const ITEM = {
  description: 'Consulting',
  quantity: 1,
  unitPrice: 100,
  discountPercent: 0,
  vatRate: 18,
  lineTotal: 100,
};
const PARTY = { name: 'Client', taxId: '514000017', address: null };
const COMPANY = {
  ...{ name: 'Acme', taxId: '514000009', address: null, phoneNumber: null },
  ...{ bankAccounts: [], documentLanguage: null },
};

type Parts = Readonly<Record<'draft' | 'company' | 'entity', object>>;

function aPreview({ draft, company, entity }: Partial<Parts> = {}): Previewed {
  const amounts = { amount: 100, tax: 18, totalWithTax: 118 };
  const drafted = { type: 'ORDER', items: [ITEM], payments: [], notes: null };
  return {
    draft: {
      ...drafted,
      ...amounts,
      externalId: null,
      periodFrom: null,
      periodUntil: null,
      cancelled: false,
      allocationNumber: null,
      ...draft,
    },
    company: { ...COMPANY, ...company },
    entity: { ...PARTY, ...entity },
    settledAtIssue: [{ type: 'QUOTE', number: 3, amount: null }],
  } as unknown as Previewed;
}

describe('a preview', () => {
  it('shows what the issued document would, without a number', () => {
    expect(previewToPrint(aPreview(), null)).toMatchObject({
      ...{ type: 'ORDER', number: null, stamp: 'preview', language: 'en', cancellation: null },
      ...{ issuer: { name: 'Acme', taxId: '514000009' }, recipient: { name: 'Client', taxId: '514000017' } },
      vatByRate: [{ rate: 18, base: 100, tax: 18 }],
      ...{ amount: 100, tax: 18, rounding: 0, totalWithTax: 118 },
      settles: [{ type: 'QUOTE', number: 3, amount: null }],
    });
  });

  const ACCOUNT = {
    bank: 'בנק לאומי (10)',
    branch: '800',
    account: '12-345',
    iban: 'IL620108000000099999999',
  };
  const accountsOf = (type: string, language: string, amounts: object = {}) =>
    previewToPrint(
      aPreview({
        draft: { type, ...amounts },
        company: {
          bankAccounts: [ACCOUNT, { ...ACCOUNT, branch: null, iban: null }],
          documentLanguage: language,
        },
      }),
      null,
    ).issuer.bankAccounts;

  it.each(['TAX_INVOICE', 'PROFORMA', 'QUOTE'])(
    'of type %s names the accounts into which it is paid, unless nothing is to be paid',
    (type) => {
      expect(accountsOf(type, 'he')).toEqual([
        { label: 'בנק לאומי (10), סניף 800', value: '12-345' },
        { label: 'IBAN', value: 'IL62 0108 0000 0009 9999 999' },
        { label: 'בנק לאומי (10)', value: '12-345' },
      ]);
      expect(accountsOf(type, 'en')[0]).toEqual({ label: 'בנק לאומי (10), branch 800', value: '12-345' });
      expect(accountsOf(type, 'en', { amount: 0, tax: 0, totalWithTax: 0 })).toEqual([]);
    },
  );

  it.each(['TAX_INVOICE_RECEIPT', 'RECEIPT', 'REFUND', 'RETURN', 'ORDER', 'DELIVERY_NOTE'])(
    'of type %s, which asks for no payment, names none',
    (type) => {
      expect(accountsOf(type, 'he')).toEqual([]);
    },
  );

  it.each([
    ['the company', { company: { name: 'ייעוץ' } }],
    ['the client', { entity: { name: 'Acme ייעוץ' } }],
    ['any description', { draft: { items: [ITEM, { ...ITEM, description: '2 × ייעוץ' }] } }],
    ['the notes', { draft: { notes: 'ייעוץ' } }],
    ['the external id', { draft: { externalId: 'א-17' } }],
    ['a letter of the presentation forms', { draft: { notes: '\ufb2a' } }],
  ])('is in Hebrew when there is Hebrew in %s', (_, parts) => {
    expect(previewToPrint(aPreview(parts), null).language).toBe('he');
  });

  it.each(['', '₪', 'مرحبا', 'Ünïcode', '中文', 'Привет'])('is in English for %j', (notes) => {
    expect(previewToPrint(aPreview({ draft: { notes } }), null).language).toBe('en');
  });

  it('is in the language that the company has chosen, whatever its text', () => {
    const parts = { company: { documentLanguage: 'en' }, draft: { notes: 'ייעוץ' } };
    expect(previewToPrint(aPreview(parts), null).language).toBe('en');
  });

  it('is in the language of the client, if it has one', () => {
    const parts = { company: { documentLanguage: 'en' }, entity: { documentLanguage: 'he' } };
    expect(previewToPrint(aPreview(parts), null).language).toBe('he');
  });
});

describe('the language of an issued document', () => {
  const [issuer, recipient] = [{ documentLanguage: 'he' }, { documentLanguage: 'en' }] as const;
  const languageOf = (overrides: IssuedOverrides, language: 'he' | 'en' | null = null) =>
    pageLanguageOf(anIssuedDocument(overrides), { language });

  it('is that of the client, then that of the company', () => {
    expect(languageOf({ issuer, recipient })).toBe('en');
    expect(languageOf({ issuer, recipient: { documentLanguage: null } })).toBe('he');
    expect(languageOf({ issuer, recipient }, 'he')).toBe('he');
  });

  it('is that of the company if an earlier release recorded the client', () => {
    expect(languageOf({ issuer })).toBe('he');
  });
});
