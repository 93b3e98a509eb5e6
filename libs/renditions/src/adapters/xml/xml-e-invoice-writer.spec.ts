import { createHash } from 'node:crypto';
import { decimal, sum, toMoney } from '@counterfoil/kernel';
import fc from 'fast-check';
import { documentToEInvoice } from '../../application/document-to-e-invoice';
import { printableLine } from '../../domain/printable-text';
import { anIssuedDocument, type IssuedOverrides } from '../../testing/an-issued-document';
import accepted from '../../testing/accepted-e-invoices.json';
import { E_INVOICE_CASES } from '../../testing/e-invoice-cases';
import {
  allAt,
  ciiFigures,
  parseEInvoice,
  type ReadFigures,
  textAt,
  ublFigures,
} from '../../testing/read-e-invoice';
import { XmlEInvoiceWriter } from './xml-e-invoice-writer';

const writer = new XmlEInvoiceWriter();
const ACCEPTED: Readonly<Record<'ubl' | 'cii', Readonly<Record<string, string>>>> = accepted;

function written(syntax: 'ubl' | 'cii', document = anIssuedDocument()): string {
  const invoice = documentToEInvoice(document, syntax);
  if (!invoice) throw new Error('there is no e-invoice of the document');
  return writer.write(invoice, syntax).toString();
}

const figuresOf = (syntax: 'ubl' | 'cii', document = anIssuedDocument()): ReadFigures =>
  (syntax === 'ubl' ? ublFigures : ciiFigures)(parseEInvoice(written(syntax, document)));

describe.each(['ubl', 'cii'] as const)('an e-invoice in %s', (syntax) => {
  // The trial `e-invoices` records these bytes after the official rules of EN 16931 have accepted them.
  it.each(E_INVOICE_CASES)('has the bytes that the official rules accepted: %s', (name, document) => {
    const sha256 = createHash('sha256').update(written(syntax, document)).digest('hex');
    expect(sha256).toBe(ACCEPTED[syntax][name]);
  });

  it.each(E_INVOICE_CASES)('has the figures of the document, and they add up: %s', (_, document) => {
    const { totals, vat, lines } = figuresOf(syntax, document);
    const money = (values: readonly string[]) => toMoney(sum(values.map(Number)));
    const [net, tax, gross, due] = [totals.net, totals.tax, totals.gross, totals.due].map(Number);
    expect([net, tax]).toEqual([document.amount, document.tax]);
    expect(totals.base).toBe(totals.net);
    expect(money(lines.map((line) => line.net))).toBe(net);
    expect(money(vat.map((one) => one.base))).toBe(net);
    expect(money(vat.map((one) => one.tax))).toBe(tax);
    expect(money([totals.net, totals.tax])).toBe(gross);
    expect(toMoney(sum([gross!, -Number(totals.paid), Number(totals.rounding)]))).toBe(due);
    expect(toMoney(sum([due!, Number(totals.paid)]))).toBe(document.totalWithTax);
    for (const one of vat) {
      expect(Number(one.tax)).toBe(toMoney(decimal(Number(one.base)).times(Number(one.rate)).times(0.01)));
      const ofRate = lines.filter(({ category, rate }) => category === one.category && rate === one.rate);
      expect(money(ofRate.map((line) => line.net))).toBe(Number(one.base));
    }
    for (const { quantity, price, allowance, net: lineNet } of lines) {
      const base = toMoney(decimal(Number(quantity)).times(Number(price)));
      expect(toMoney(sum([base, -Number(allowance)]))).toBe(Number(lineNet));
    }
  });

  it.each(E_INVOICE_CASES)('has no empty element, and no character that XML forbids: %s', (_, document) => {
    const xml = written(syntax, document);
    expect(xml).not.toMatch(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
    expect(xml.match(/<[^?][^>]*\/>|<([\w:]+)[^>]*>\s*<\/\1>/g) ?? []).toEqual(
      syntax === 'cii' ? ['<ram:ApplicableHeaderTradeDelivery/>'] : [],
    );
  });

  it('shows texts of strangers as text', () => {
    const description = `]]> <b a="1"/> &amp; <!-- 'x' -->`;
    const { lines } = figuresOf(syntax, anIssuedDocument({ items: [{ description }] }));
    expect(lines[0]?.name).toBe(description);
  });

  it('is well-formed whatever characters a text has', () => {
    const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), { numRuns: 300, seed: 1 });
    const items = texts.map((description) => ({ description }));
    const { lines } = figuresOf(syntax, anIssuedDocument({ items }));
    expect(lines.map(({ name }) => name)).toEqual(texts.map((text) => printableLine(text) || '-'));
  });

  it('removes what XML forbids, and replaces halves of surrogate pairs', () => {
    const description = 'a\u0000\u001b\ufffe\uffff\ud800b\u2028c';
    const { lines } = figuresOf(syntax, anIssuedDocument({ items: [{ description }] }));
    expect(lines[0]?.name).toBe('a\ufffdb c');
  });
});

describe('both e-invoices of a document', () => {
  it.each(E_INVOICE_CASES)('have the same figures: %s', (_, document) => {
    expect(figuresOf('cii', document)).toEqual(figuresOf('ubl', document));
  });
});

describe('the terms of an e-invoice', () => {
  const SELLER = 'AccountingSupplierParty/Party';
  const BUYER = 'AccountingCustomerParty/Party';
  const PERIOD = { periodFrom: '2026-11-22', periodUntil: '2026-12-21' };

  const termsOf = (overrides: IssuedOverrides, path: string): string[] => {
    const root = parseEInvoice(written('ubl', anIssuedDocument(overrides)));
    return allAt(root, path).map((one) => (typeof one === 'string' ? one : textAt(one, '#text')));
  };

  it.each<[string, IssuedOverrides, string, string[]]>([
    ['the number', {}, 'ID', ['1042']],
    ['an invoice', {}, 'InvoiceTypeCode', ['380']],
    ['an invoice and receipt', { type: 'TAX_INVOICE_RECEIPT' }, 'InvoiceTypeCode', ['380']],
    ['a credit note', { type: 'REFUND' }, 'CreditNoteTypeCode', ['381']],
    ['a return note', { type: 'RETURN' }, 'CreditNoteTypeCode', ['381']],
    ['the due date', {}, 'DueDate', ['2026-12-22']],
    ['no period', {}, 'InvoicePeriod', []],
    ['the first day of the period', PERIOD, 'InvoicePeriod/StartDate', ['2026-11-22']],
    ['the last day of the period', PERIOD, 'InvoicePeriod/EndDate', ['2026-12-21']],
    ['no due date', { dueDate: null }, 'PaymentTerms/Note', ['No due date']],
    ['no due date of what is paid', { type: 'TAX_INVOICE_RECEIPT' }, 'DueDate', []],
    ['the lines of notes', { notes: 'a\r\n b\u0000' }, 'Note', ['a\nb']],
    ['the tax id of the company', {}, `${SELLER}/PartyTaxScheme/CompanyID`, ['IL514123456']],
    ['the name of the company', {}, `${SELLER}/PartyLegalEntity/RegistrationName`, ['Cedar Workshop']],
    ['no other name', {}, `${SELLER}/PartyName/Name`, []],
    [
      'the registered name',
      { issuer: { legalName: 'Cedar Ltd' } },
      `${SELLER}/PartyLegalEntity/RegistrationName`,
      ['Cedar Ltd'],
    ],
    [
      'the trading name',
      { issuer: { legalName: 'Cedar Ltd' } },
      `${SELLER}/PartyName/Name`,
      ['Cedar Workshop'],
    ],
    ['the street', {}, `${SELLER}/PostalAddress/StreetName`, ['Harbour Street 12']],
    [
      'the country without an address',
      { recipient: { address: null } },
      `${BUYER}/PostalAddress/Country/IdentificationCode`,
      ['IL'],
    ],
    ['a consumer', { recipient: { taxId: null } }, `${BUYER}/PartyTaxScheme/CompanyID`, []],
    ['the allocation number', { allocationNumber: '123' }, 'AdditionalDocumentReference/ID', ['123']],
    [
      'the invoice that is credited',
      { type: 'REFUND', settledAtIssue: [{ type: 'TAX_INVOICE', number: 7, amount: null }] },
      'BillingReference/InvoiceDocumentReference/ID',
      ['7'],
    ],
    [
      'nothing that is credited and no invoice',
      { type: 'REFUND', settledAtIssue: [{ type: 'ORDER', number: 7, amount: null }] },
      'BillingReference/InvoiceDocumentReference/ID',
      [],
    ],
    [
      'the accounts',
      {
        issuer: {
          bankAccounts: [
            { bank: '12', branch: '600', account: '1', iban: 'il62 0108' },
            { bank: '12', branch: null, account: '1', iban: null },
          ],
        },
      },
      'PaymentMeans/PayeeFinancialAccount/ID',
      ['IL620108', '12-1'],
    ],
    [
      'no account for what is paid',
      {
        type: 'TAX_INVOICE_RECEIPT',
        issuer: { bankAccounts: [{ bank: '12', branch: null, account: '1', iban: null }] },
      },
      'PaymentMeans/PayeeFinancialAccount/ID',
      [],
    ],
  ])('are those of the document: %s', (_, overrides, path, expected) => {
    expect(termsOf(overrides, path)).toEqual(expected);
  });

  it.each([
    ['DE', 'DE 123.456', 'DE123456'],
    ['US', '12-3456789', 'US123456789'],
    ['GR', '123456789', 'EL123456789'],
    ['GR', 'EL123456789', 'EL123456789'],
  ])('have a tax id with the code of the country: %s, %s', (country, taxId, expected) => {
    const address = { street: 'Main', houseNumber: null, city: 'City', zipCode: null, country };
    expect(termsOf({ recipient: { taxId, address } }, `${BUYER}/PartyTaxScheme/CompanyID`)).toEqual([
      expected,
    ]);
  });
});
