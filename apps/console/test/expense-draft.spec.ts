import {
  amountOf,
  changesOf,
  creationOf,
  type Draft,
  draftOfReading,
  EMPTY_DRAFT,
  fieldNamed,
  problemsOf,
  withUntouched,
} from '../src/screens/expenses/draft.ts';
import { certaintyOf, pagesOf, placesOf } from '../src/screens/expenses/places.ts';

const FULL: Draft = {
  ...EMPTY_DRAFT,
  vendor: { id: 2, name: 'Paper' },
  ...{ date: '2026-11-20', total: '118', tax: '18', deductableTax: '18' },
};

it.each([
  ['118', 118],
  ['1,234.50', 1234.5],
  [' 7.5 ', 7.5],
  ['1,23', null],
  ['12,34.5', null],
  ['1.234', null],
  ['-5', null],
  ['1e3', null],
  ['', null],
])('reads the amount %j', (text, amount) => {
  expect(amountOf(text)).toBe(amount);
});

it('finds what the service would refuse', () => {
  expect(problemsOf(FULL)).toEqual({});
  expect(problemsOf(EMPTY_DRAFT)).toEqual({
    ...{ vendor: 'required', date: 'required' },
    ...{ total: 'required', tax: 'required', deductableTax: 'required' },
  });
  expect(problemsOf({ ...FULL, total: '10' })).toEqual({ tax: 'aboveTotal' });
  expect(problemsOf({ ...FULL, deductableTax: '18.01' })).toEqual({ deductableTax: 'aboveTax' });
  expect(problemsOf({ ...FULL, total: '0', tax: '0', deductableTax: '0' })).toEqual({ total: 'positive' });
  expect(problemsOf({ ...FULL, total: 'x', currency: 'US' })).toEqual({
    total: 'amount',
    currency: 'currencyCode',
  });
});

it('creates without the texts that are empty', () => {
  expect(creationOf({ ...FULL, title: '  ', documentNumber: ' R-1 ' }, 9)).toEqual({
    ...{ vendorId: 2, fileId: 9, date: '2026-11-20', total: 118, tax: 18, deductableTax: 18 },
    ...{ currency: 'ILS', documentNumber: 'R-1', isEquipment: false },
  });
});

it('changes only what differs, and clears what was emptied', () => {
  const before = { ...FULL, title: 'Paper', total: '118.00' };
  expect(changesOf(before, before)).toEqual({});
  expect(changesOf(before, { ...before, total: '118' })).toEqual({});
  expect(changesOf(before, { ...before, title: ' ', tax: '17', vendor: { id: 3, name: 'Other' } })).toEqual({
    ...{ title: '', tax: 17, vendorId: 3 },
  });
});

const READING = {
  expenseData: { total: 120, tax: 20, date: '2026-03-12' },
  confidence: { total: 0.949, tax: 0.95 },
  places: { total: { page: 2, x: 0.5, y: 0.5, width: 0.1, height: 0.02 } },
};

it('fills the form with what was read; the whole tax is deductible', () => {
  expect(draftOfReading(READING, null)).toEqual({
    ...EMPTY_DRAFT,
    ...{ date: '2026-03-12', total: '120', tax: '20', deductableTax: '20' },
  });
});

it('a later reading fills what nobody has typed', () => {
  const read = draftOfReading(READING, { id: 2, name: 'Paper' });
  const typed = { ...EMPTY_DRAFT, title: 'Toner', total: '99' };
  expect(withUntouched(typed, EMPTY_DRAFT, read)).toEqual({ ...read, title: 'Toner', total: '99' });
  expect(withUntouched(EMPTY_DRAFT, EMPTY_DRAFT, read)).toEqual(read);
});

it('says how certain a value is, and where it stands', () => {
  expect(certaintyOf(READING, 'total')).toEqual({ percent: 94, isSure: false, page: 2 });
  expect(certaintyOf(READING, 'tax')).toEqual({ percent: 95, isSure: true, page: undefined });
  expect(certaintyOf(READING, 'currency')).toBeNull();
  expect(pagesOf(placesOf(READING))).toEqual([2]);
  expect(placesOf(undefined)).toEqual([]);
});

it('knows the fields that the API names', () => {
  expect([fieldNamed('entityId'), fieldNamed('total'), fieldNamed('fileId')]).toEqual([
    'vendor',
    'total',
    null,
  ]);
});
