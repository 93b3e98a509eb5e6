import { bodyOf, draftOf } from '../src/screens/parties/pricelist/bodies.ts';
import {
  type EntryDraft,
  entriesOf,
  mergedEntries,
  newEntry,
  problemsOf,
  readPasted,
  type TierDraft,
} from '../src/screens/parties/pricelist/entries.ts';

const paper = { id: 1, name: 'Paper', sku: 'A4', buyingPrice: null };
const entry = (part: Partial<EntryDraft>): EntryDraft => ({ ...newEntry(paper), ...part });
const tier = (from: string, to: string, part: Partial<TierDraft> = {}): TierDraft => ({
  ...{ from, to, kind: 'fixed', value: '1', ...part },
});
const textsOf = (...all: readonly EntryDraft[]) => problemsOf(all)[0]?.map(({ text }) => text);

it('finds what the service would refuse', () => {
  expect(textsOf(entry({ price: '' }))).toEqual(['needsPrice']);
  expect(textsOf(entry({ price: '1.23456' }))).toEqual(['badPrice']);
  expect(textsOf(entry({ price: '1' }), entry({}))).toEqual(['duplicate']);
  expect(textsOf(entry({ mode: 'steps', step: '0', stepPrice: '1' }))).toEqual(['badStep']);
  expect(textsOf(entry({ mode: 'tiers' }))).toEqual(['needsTiers']);
  expect(textsOf(entry({ mode: 'tiers', tiers: [tier('', '2')] }))).toEqual(['badTier']);
  expect(textsOf(entry({ mode: 'tiers', tiers: [tier('3', '2')] }))).toEqual(['turnedTier']);
  expect(textsOf(entry({ mode: 'tiers', tiers: [tier('1', '2', { kind: 'percent' })] }))).toEqual([
    'needsBase',
  ]);
  expect(
    textsOf(entry({ mode: 'tiers', tiers: [tier('1', '2', { kind: 'percent', value: '101' })] })),
  ).toEqual(['badTier']);
});

it('takes a common bound for an overlap, and a gap for none', () => {
  const tiers = [tier('1', '10'), tier('10', '20'), tier('30', '40')];
  expect(problemsOf([entry({ mode: 'tiers', tiers })])).toEqual([
    [{ text: 'overlap', values: { first: 1, second: 2 } }],
  ]);
  expect(textsOf(entry({ mode: 'tiers', tiers: [tier('1', '9.9999'), tier('10', '20')] }))).toEqual([]);
});

it('checks the longest list at once', () => {
  const all = Array.from({ length: 10_000 }, (_, productId) => entry({ productId, price: '1' }));
  const started = performance.now();
  expect(problemsOf(all).flat()).toEqual([]);
  expect(performance.now() - started).toBeLessThan(200);
});

it('takes a comma for a separator of thousands only where it is one', () => {
  const priceOf = (price: string) => readPasted(`A4\t${price}`)[0]?.price;
  expect(['1,250,000', '0,125', '1,25', '12,34,567'].map(priceOf)).toEqual([
    ...['1250000', '0,125', '1,25', '12,34,567'],
  ]);
  expect(textsOf(entry({ price: '0,125' }))).toEqual(['badPrice']);
});

it('reads cells in the usual order, with signs, separators and marks of direction', () => {
  expect(readPasted('A4\t₪1,250.50\t1\t9\tPH-1\r\n\r\n\u200FB5\u200E\t3\n')).toEqual([
    { line: 1, sku: 'A4', price: '1250.50', from: '1', to: '9', vendorSku: 'PH-1' },
    { line: 3, sku: 'B5', price: '3', from: '', to: '', vendorSku: '' },
  ]);
});

it('reads columns that the first row names, in Hebrew too', () => {
  expect(readPasted('Price,Vendor SKU,SKU\n"1,250",X,"A,4"')).toMatchObject([
    { line: 2, sku: 'A,4', price: '1250', vendorSku: 'X' },
  ]);
  expect(readPasted('מחיר\tמק״ט\n5\tA4')).toMatchObject([{ line: 2, sku: 'A4', price: '5' }]);
});

it('splits outside quotes only, and takes a quote within a cell for text', () => {
  const read = (text: string) => readPasted(text).map(({ sku, price }) => [sku, price]);
  expect(read('"A, ""4""",1\n12" pipe,2\n"open,3')).toEqual([
    ['A, "4"', '1'],
    ['12" pipe', '2'],
    ['"open,3', ''],
  ]);
});

it('splits a line of 400,000 characters at once', () => {
  const started = performance.now();
  expect(readPasted('"a",'.repeat(100_000))).toHaveLength(1);
  expect(performance.now() - started).toBeLessThan(1_000);
});

it('makes tiers of rows with quantities, and names unknown products', () => {
  const rows = readPasted('a4\t20\t1\t9\nA4\t18\t10\t99\nNONE\t1');
  const { entries, unknown } = entriesOf(rows, new Map([['a4', paper]]));
  expect(entries).toMatchObject([
    { productId: 1, mode: 'tiers', tiers: [tier('1', '9', { value: '20' }), {}] },
  ]);
  expect(unknown).toMatchObject([{ line: 3, sku: 'NONE' }]);
});

it('sends back what it has read', () => {
  const common = { productId: 1, vendorSku: null, buyingPrice: 20 };
  const stored = {
    ...common,
    ...{ pricingMode: 'tiers', tiersMode: 'range', quantityStep: null, quantityStepPrice: null },
    priceTiers: [
      { from: 1, to: 9, tierType: 'fixed', price: 0 },
      { from: 10, to: 99, tierType: 'percent', discountPercent: 7.5 },
    ],
  };
  expect(bodyOf(draftOf(stored as never))).toEqual({
    ...{ ...common, pricingMode: 'tiers', tiersMode: 'range' },
    priceTiers: stored.priceTiers,
  });
  const steps = { ...stored, tiersMode: 'quantity', priceTiers: null, quantityStep: 5, quantityStepPrice: 9 };
  expect(bodyOf(draftOf(steps as never))).toMatchObject({ tiersMode: 'quantity', quantityStep: 5 });
});

it('keeps what was not pasted: the SKU of the vendor, and other products if asked', () => {
  const other = { ...entry({ price: '5' }), productId: 2 };
  const grid = [entry({ price: '20', vendorSku: 'PH-1' }), other];
  const pasted = [entry({ price: '21' }), { ...entry({ price: '7' }), productId: 3 }];
  const put = mergedEntries(grid, pasted, true);
  expect(put.map(({ productId, price, vendorSku }) => [productId, price, vendorSku])).toEqual([
    [1, '21', 'PH-1'],
    [2, '5', ''],
    [3, '7', ''],
  ]);
  expect(mergedEntries(grid, pasted, false).map(({ productId }) => productId)).toEqual([1, 3]);
  expect(mergedEntries(grid, [entry({ vendorSku: 'PH-2' })], true)[0]?.vendorSku).toBe('PH-2');
});

it('takes a row without quantities for the price beside tiers, in either order', () => {
  const products = new Map([['a4', paper]]);
  for (const text of ['A4,20,1,9\nA4,22', 'A4,22\nA4,20,1,9'])
    expect(entriesOf(readPasted(text), products).entries).toMatchObject([
      { mode: 'tiers', price: '22', tiers: [{ from: '1', to: '9', value: '20' }] },
    ]);
});
