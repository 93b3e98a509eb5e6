import { findLabels } from './labels';

const concepts = (text: string, loose = false) => findLabels(text, loose).map(({ concept }) => concept);

describe('labels', () => {
  it.each([
    ['TOTAL SALES (INCLUSIVE OF GST) :', ['total', 'inclTax']],
    ['SUB-TOTAL (GST)', ['sub', 'tax']],
    ['Rechnungsnr.', ['invoiceNo']],
    ['N° TVA : FR', ['taxId']],
    ['סה"כ לתשלום', ['grand']],
    ['סה"כ לפני מע"מ', ['excl']],
    ["מס' עוסק מורשה: 512981945", ['taxId']],
    ['INVOICE #', ['invoiceNo']],
  ])('of "%s"', (text, expected) => {
    expect(concepts(text)).toEqual(expected);
  });

  it('does not find short words inside others', () => {
    expect(concepts('taxi restaurant dates')).toEqual([]);
  });

  it('finds misread labels and labels without spaces', () => {
    expect(concepts('T0TAL AM0UNT DUE', true)).toEqual(['grand']);
    expect(concepts('ROUNDlNG ADJUSTMEMT', true)).toEqual(['rounding']);
    expect(concepts('TOTALAMOUNT12.50', true)).toEqual(['total']);
    expect(concepts('CS00052997DATE', true)).toEqual(['date']);
    expect(concepts('Totel 4.50', true)).toEqual(['total']);
  });

  it('requires exact letters without OCR', () => {
    expect(concepts('ROUNDlNG ADJUSTMEMT')).toEqual([]);
  });

  it('returns the position of a label', () => {
    expect(findLabels('My Total: 5', false)[0]).toMatchObject({ start: 3, end: 8, length: 5, slips: 0 });
  });
});
