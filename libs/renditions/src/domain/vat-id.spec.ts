import { vatIdOf } from './vat-id';

describe('the VAT id of a party', () => {
  it.each([
    ['514123456', 'IL', 'IL514123456'],
    ['il 514-123-456', 'IL', 'IL514123456'],
    ['DE 123.456.789', 'DE', 'DE123456789'],
    ['de123456789', 'DE', 'DE123456789'],
    ['nl123456789b01', 'NL', 'NL123456789B01'],
    ['u12345678', 'AT', 'ATU12345678'],
    ['x1234567l', 'ES', 'ESX1234567L'],
    ['CHE-123.456.789', 'CH', 'CHE123456789'],
    ['12-3456789', 'US', 'US123456789'],
    ['T1234567890123', 'JP', 'JPT1234567890123'],
  ])('%s of %s has the code of its country once, and no punctuation', (taxId, country, expected) => {
    expect(vatIdOf(taxId, country)).toBe(expected);
  });

  it.each([
    ['123456789', 'GR'],
    ['EL123456789', 'GR'],
    ['GR123456789', 'GR'],
    ['gr 123 456 789', 'GR'],
    ['GR123456789', 'IL'],
    ['el123456789', 'DE'],
    ['ΑΦΜ: 123456789', 'GR'],
  ])('%s of %s has the code EL of Greece', (taxId, country) => {
    expect(vatIdOf(taxId, country)).toBe('EL123456789');
  });

  it.each([
    ['FR40303265045', 'IL', 'FR40303265045'],
    ['XI123456789', 'GB', 'XI123456789'],
    ['GB123456789', 'IE', 'GB123456789'],
    // Complete without a code, although it begins like one.
    ['DE123456789', 'FR', 'FRDE123456789'],
    ['GD001', 'GB', 'GBGD001'],
    // Not the number of a member state: the RFC of a Mexican company.
    ['ESA010101AB1', 'MX', 'MXESA010101AB1'],
  ])('%s of %s is read by the code that it has itself', (taxId, country, expected) => {
    expect(vatIdOf(taxId, country)).toBe(expected);
  });

  it.each([
    ['ע.מ. 514123456', 'IL514123456'],
    ['５１４１２３４５６', 'IL514123456'],
    ['٥١٤١٢٣٤٥٦', 'IL514123456'],
    ['۵۱۴۱۲۳۴۵۶', 'IL514123456'],
    ['\u202e514\u0000123456\ud800', 'IL514123456'],
  ])('%j has neither letters nor digits of other alphabets', (taxId, expected) => {
    expect(vatIdOf(taxId, 'IL')).toBe(expected);
  });

  it.each([null, '', '---', 'ע״מ', 'IL'])('does not exist without a digit: %j', (taxId) => {
    expect(vatIdOf(taxId, 'IL')).toBeNull();
  });
});
