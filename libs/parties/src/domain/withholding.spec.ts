import { withholdingOn } from './withholding';

const OWN = {
  withholdingTaxRate: 5,
  withholdingBase: 'without_vat',
  withholdingValidFrom: '2026-01-01',
  withholdingValidUntil: '2026-12-31',
} as const;

describe('the withholding of a vendor', () => {
  it.each([
    ['the day before its certificate', '2025-12-31', OWN, 30],
    ['the first day of its certificate', '2026-01-01', OWN, 5],
    ['the last day of its certificate', '2026-12-31', OWN, 5],
    ['the day after its certificate', '2027-01-01', OWN, 30],
    ['any later day, without a last one', '2099-01-01', { ...OWN, withholdingValidUntil: null }, 5],
    ['the day before, without a last one', '2025-12-31', { ...OWN, withholdingValidUntil: null }, 30],
    ['any earlier day, without a first one', '1999-01-01', { ...OWN, withholdingValidFrom: null }, 5],
    ['a day of the certificate, without a rate', '2026-06-01', { ...OWN, withholdingTaxRate: null }, 30],
  ])('on %s', (_, day, own, rate) => {
    expect(withholdingOn(day, own, 30)).toEqual({ rate, base: 'without_vat' });
  });

  it.each([[0], [3], [5]])('is not lowered by a company rate of %d after its certificate', (companyRate) => {
    expect(withholdingOn('2027-01-01', OWN, companyRate)).toMatchObject({ rate: 5 });
  });

  it('is none at a rate of 0, its own or that of the company', () => {
    expect(withholdingOn('2026-06-01', { ...OWN, withholdingTaxRate: 0 }, 30)).toBeNull();
    expect(withholdingOn('2027-01-01', { ...OWN, withholdingTaxRate: 0 }, 0)).toBeNull();
  });

  it('is from the total with VAT if it has no base', () => {
    expect(withholdingOn('2026-06-01', { ...OWN, withholdingBase: null }, 0)).toEqual({
      ...{ rate: 5, base: 'with_vat' },
    });
  });
});
