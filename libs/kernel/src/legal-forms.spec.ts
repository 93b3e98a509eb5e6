import { plainBusinessName, withoutLegalForm } from './legal-forms';

describe('the plain name of a business', () => {
  it.each([
    ['Almond Bakery Ltd', 'almondbakery'],
    ['ALMOND-BAKERY, LTD.', 'almondbakery'],
    ['Almond Bakery Co., Ltd.', 'almondbakery'],
    ['Almond Bakery Sdn. Bhd.', 'almondbakery'],
    ['Almond & Bakery S.p.A.', 'almondbakery'],
    ['Müller GmbH', 'müller'],
    ['Almond Bakery (1993) Limited', 'almondbakery1993'],
    ['מאפיית השקד בע"מ', 'מאפייתהשקד'],
    ['מאפיית השקד בע״מ', 'מאפייתהשקד'],
    ["מאפיית השקד, בע''מ", 'מאפייתהשקד'],
    ['מאפיית השקד', 'מאפייתהשקד'],
  ])('of %s is %s', (name, plain) => {
    expect(plainBusinessName(name)).toBe(plain);
  });

  it('keeps words in other places that look like legal forms', () => {
    expect(withoutLegalForm('Inc Bakery')).toBe('Inc Bakery');
    expect(withoutLegalForm('Limited Editions')).toBe('Limited Editions');
    expect(withoutLegalForm('Canaco')).toBe('Canaco');
    expect(withoutLegalForm('Ltd')).toBe('Ltd');
  });
});
