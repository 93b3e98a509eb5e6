import { plainTextPage } from '../text/plain-text-page';
import { Currencies } from './currencies';
import { Parties } from './parties';
import { toSheet } from './sheet';

const found = (text: string) => {
  const sheet = toSheet([plainTextPage(text)], 'text', '2026-01-01');
  return new Currencies(sheet.lines, new Parties(sheet)).find(new Set());
};
const currency = (text: string) => found(text)?.currency;

describe('the currency', () => {
  it.each([
    ['TOTAL RM12.50', 'MYR'],
    ['Total € 12,50', 'EUR'],
    ['סה"כ 12.50 ש"ח', 'ILS'],
    ['Total due (USD) $5.00', 'USD'],
    ['Total $5.00', 'USD'],
    ['ABN 51 824 753 556\nTotal $5.00', 'AUD'],
    ['Razem 799,50 PLN', 'PLN'],
    ['Total CHF 12.00', 'CHF'],
    ['Total S$18.22', 'SGD'],
    ['Bill to: Merlion Foods Pte Ltd, Singapore 048616\nTotal $50.00', 'USD'],
    ['SKU A1B2C3 cable\nTotal $50.00', 'USD'],
    ['220 King St W, Toronto ON M5H 1K4\nTotal $50.00', 'CAD'],
    ['RFC ABC010203XY9\nTotal $50.00', 'MXN'],
    ['Nathan Road, Hong Kong\n\n12 May 2024\n\nTotal $50.00', 'HKD'],
    ['Fizetendő 12 700 Ft', 'HUF'],
    ['Fort Lauderdale Marina\n100 Ft. Lauderdale Blvd\nHDMI cable 6Ft 29.90\nTotal  29.90', undefined],
    ['Bright Lamps, Shenzhen, China\nTotal ¥1,280.00', 'CNY'],
    ['Shanghai\n价税合计 ¥1,280.00', 'CNY'],
    ['Kyoto Tea\nTotal ¥1,280', 'JPY'],
  ])('of "%s" is %s', (text, expected) => {
    expect(currency(text)).toBe(expected);
  });

  it('is left out without any sign', () => {
    expect(currency('TOTAL 12.50')).toBeUndefined();
  });

  it('is not read from the name of a room', () => {
    expect(currency('RM 412   Receipt 551\nTotal   180.00')).toBeUndefined();
  });

  it('of a plain dollar sign is a guess', () => {
    expect(found('Total $5.00')).toEqual({ currency: 'USD', confidence: 0.5 });
    expect(found('Springfield, IL 62701\nTotal $5.00')?.confidence).toBeGreaterThan(0.9);
  });

  it.each([
    ['Total ¥1,280', 'Kyoto Tea\nTotal ¥1,280'],
    ['Total Rs 450.00', 'GSTIN 27AAPFU0939F1ZV\nTotal Rs 450.00'],
    ['Total 700 Ft', 'Nyugta\nTotal 700 Ft'],
  ])('of the sign of several countries is a guess without more evidence: %s', (alone, withEvidence) => {
    expect(found(alone)?.confidence).toBe(0.5);
    expect(found(`Karachi Books\nGST 17%\n${alone}`)?.confidence).toBe(0.5);
    expect(found(withEvidence)).toMatchObject({
      currency: found(alone)?.currency,
      confidence: expect.closeTo(0.99),
    });
  });

  it('is the shekel on a page in Hebrew without any sign', () => {
    expect(currency('חשבונית מס קבלה\nתאריך 22.02.2025\nסה"כ לתשלום 82.90\nתודה רבה')).toBe('ILS');
  });
});
