import { taxIdForm, withoutPrefix } from './tax-ids';

describe('forms of tax numbers', () => {
  it.each([
    ['DE136695976', 'DE'],
    ['FR83404833048', 'FR'],
    ['IT00743110157', 'IT'],
    ['ESB58818501', 'ES'],
    ['NL004495445B01', 'NL'],
    ['BE0403170701', 'BE'],
    ['ATU13585627', 'AT'],
    ['PL5260001246', 'PL'],
    ['PT501964843', 'PT'],
    ['GB980780684', 'GB'],
    ['CHE116281710', 'CH'],
    ['516459914', 'IL'],
    ['51 824 753 556', 'AU'],
    ['4540536920', 'TR'],
  ])('%s is valid in %s', (number, country) => {
    expect(taxIdForm(number)).toMatchObject({ country, valid: true });
  });

  it.each(['DE136695977', 'FR83404833049', 'BE0403170702', 'GB980780685', '516459915'])(
    '%s has the format, and an invalid check digit',
    (number) => {
      expect(taxIdForm(number)).toMatchObject({ valid: false });
    },
  );

  it.each([
    ['001335787520', 'MY'],
    ['29ABCDE1234F1Z5', 'IN'],
    ['123456782 RT0001', 'CA'],
    ['201/113/40209', 'DE'],
  ])('%s has a format without a check digit (%s)', (number, country) => {
    expect(taxIdForm(number)).toEqual({ country, valid: undefined, prefixed: false });
  });

  it.each(['12345', '03-7859 9863', '1234567891'])('%s has none', (number) => {
    expect(taxIdForm(number)).toBeUndefined();
  });
});

describe('the national prefix of a tax number', () => {
  it('is no part of it in Israel, but is in the European Union', () => {
    expect(withoutPrefix('IL514000007')).toBe('514000007');
    expect(withoutPrefix('il 514000007')).toBe('514000007');
    expect(withoutPrefix('DE136695976')).toBe('DE136695976');
    expect(withoutPrefix('IL5140000')).toBe('IL5140000');
  });
});
