import { completedNote } from './credit-note';
import { type Credited, excessOf } from './credited';
import { type DocumentTerms, draftDocument } from './draft-document';

const TERMS: DocumentTerms = {
  today: '2026-11-21',
  vatRate: 0,
  rounding: 'round',
  paymentTerm: { type: 'DAYS_ONLY', days: 30 },
  booksClosedUntil: null,
};

const note = (unitPrice: number, vatRate = 0) =>
  draftDocument(
    {
      ...{ type: 'REFUND', entityId: 7, refundOf: 1, payments: [] },
      items: [{ description: 'x', quantity: 1, unitPrice, vatRate }],
    },
    TERMS,
  );

const NOTHING = { amount: 0, tax: 0, totalWithTax: 0, count: 0 };

const invoice = (amount: number, totalWithTax: number): Credited => ({ amount, tax: 0, totalWithTax });

/** Returns the totals of successive notes against one invoice. */
function totalsOf(of: Credited, prices: readonly number[]): number[] {
  const totals: number[] = [];
  const before = { amount: 0, tax: 0, totalWithTax: 0, count: 0 };
  for (const price of prices) {
    const { amount, totalWithTax } = completedNote(note(price), of, before);
    totals.push(totalWithTax);
    before.count += 1;
    before.amount = Math.round((before.amount + amount) * 100) / 100;
    before.totalWithTax = Math.round((before.totalWithTax + totalWithTax) * 100) / 100;
  }
  return totals;
}

describe('credit notes get the rounding of their document', () => {
  it.each<[string, Credited, number[], number[]]>([
    ['one that was not rounded', invoice(107.5, 107.5), [107.5], [107.5]],
    ['one that was rounded up, whole', invoice(100.5, 101), [100.5], [101]],
    ['one that was rounded down, whole', invoice(100.4, 100), [100.4], [100]],
    ['one that was rounded up, by its lines', invoice(100.5, 101), [33.5, 33.5, 33.5], [33.5, 33.5, 34]],
    ['one that was rounded down, by its lines', invoice(100.2, 100), [33.4, 33.4, 33.4], [33.4, 33.4, 33.2]],
    ['nearly all of one that was rounded down', invoice(100.4, 100), [100.3, 0.1], [100, 0]],
    ['a part of one', invoice(100.5, 101), [50], [50]],
    ['more than there was', invoice(100.4, 100), [101], [101]],
  ])('%s', (_, of, prices, totals) => {
    expect(totalsOf(of, prices)).toEqual(totals);
  });

  it.each<[string, number, number, number[]]>([
    ['up', 10.03, 24, [11.84, 12.16]],
    ['down', 10.2, 24, [12.04, 11.96]],
    ['down by less than the VAT of the notes differs', 8.48, 20, [10.01, 9.99]],
    ['not, with less VAT than both notes', 10.25, 24.19, [12.1, 12.09]],
    ['not, with more VAT than both notes', 10.24, 24.17, [12.08, 12.09]],
  ])('if VAT was rounded once for both lines, and the total %s', (_, price, totalWithTax, totals) => {
    const amount = Math.round(price * 200) / 100;
    const of = { amount, tax: Math.round(amount * 18) / 100, totalWithTax };
    const first = completedNote(note(price, 18), of, NOTHING);
    const second = completedNote(note(price, 18), of, { ...first, count: 1 });
    expect([first.totalWithTax, second.totalWithTax]).toEqual(totals);
  });

  it('but a note with another VAT is not the last one', () => {
    const of = { amount: 100, tax: 18.4, totalWithTax: 118 };
    expect(completedNote(note(100), of, NOTHING).totalWithTax).toBe(100);
    const small = { amount: 3, tax: 0.54, totalWithTax: 3.54 };
    expect(completedNote(note(3, 17), small, NOTHING).totalWithTax).toBe(3.51);
  });

  it.each([10.25, 10.24])('however many lines of %p there are', (price) => {
    const amount = 20 * price;
    const tax = Math.round(amount * 18) / 100;
    const of = { amount, tax, totalWithTax: Math.round((amount + tax) * 100) / 100 };
    const before = { ...NOTHING };
    for (let line = 0; line < 20; line += 1) {
      const draft = completedNote(note(price, 18), of, before);
      expect(excessOf(draft, of, before)).toBeNull();
      before.amount += draft.amount;
      before.tax += draft.tax;
      before.totalWithTax += draft.totalWithTax;
      before.count += 1;
    }
    expect(before.totalWithTax).toBeCloseTo(of.totalWithTax, 6);
  });
});

describe('a credit note for a rounded invoice', () => {
  const of = (amount: number, tax: number, totalWithTax: number): Credited => ({ amount, tax, totalWithTax });

  it.each<[string, Credited, Credited, boolean]>([
    ['all of one rounded down', of(100.4, 0, 100), of(100.4, 0, 100), true],
    ['more net than one that was rounded down', of(100.4, 0, 100), of(100.45, 0, 100), false],
    ['all of one rounded up', of(85.25, 15.35, 101), of(85.25, 15.35, 101), true],
    ['more net and VAT than one that was rounded up', of(85.25, 15.35, 101), of(85.59, 15.41, 101), false],
    ['more VAT, by how it is rounded', of(85.25, 15.35, 101), of(85.25, 15.4, 101), true],
    ['more VAT than rounding explains', of(85.25, 15.35, 101), of(85.25, 15.41, 101), false],
    ['less, at another rate of VAT', of(85.25, 15.35, 101), of(95, 0, 95), true],
    ['as much, at another rate of VAT', of(85.25, 15.35, 101), of(100.6, 0, 100.6), true],
    ['more than its total', of(100.4, 0, 100), of(100.01, 0, 100.01), false],
  ])('over %s', (_, invoiced, note, isAllowed) => {
    expect(excessOf(note, invoiced, NOTHING) === null).toBe(isAllowed);
  });

  it.each<[string, number, boolean]>([
    ['what is left', 50.4, true],
    ['more net than is left', 50.45, false],
  ])('after another one, over %s', (_, amount, isAllowed) => {
    const invoiced = of(100.4, 0, 100);
    const before = { ...of(50, 0, 50), count: 1 };
    const draft = completedNote(note(amount), invoiced, before);
    expect(draft.totalWithTax).toBe(50);
    expect(excessOf(draft, invoiced, before) === null).toBe(isAllowed);
  });
});
