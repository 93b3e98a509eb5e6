import { findLabels } from './labels';
import { roleOf } from './roles';

describe('the role of an amount', () => {
  it.each([
    ['TOTAL', 'total'],
    ['GRAND TOTAL', 'grand'],
    ['TOTAL (EXCLUDING GST)', 'net'],
    ['TOTAL (INCLUSIVE OF GST)', 'gross'],
    ['Total incl. VAT', 'gross'],
    ['VAT included in total', 'inclTax'],
    ['VAT of which included in total', 'tax'],
    ['TOTAL GST', 'taxTotal'],
    ['GST PAYABLE (6%)', 'tax'],
    ['TOTAL QTY', 'qty'],
    ['ROUNDING ADJ', 'rounding'],
    ['TOTAL DISCOUNT', 'discount'],
    ['CASH', 'cash'],
    ['CHANGE', 'change'],
    ['Net à payer', 'due'],
    ['Zwischensumme', 'sub'],
    ['מע"מ 17%', 'tax'],
    ['סה"כ לפני מע"מ', 'net'],
    ['inkl. 19% MwSt', 'inclTax'],
    ['Nasi Lemak', ''],
  ])('labelled "%s" is "%s"', (text, role) => {
    expect(roleOf(findLabels(text, false))).toBe(role);
  });
});
