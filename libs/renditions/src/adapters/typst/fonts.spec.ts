import { Fonts } from './fonts';

let fonts: Fonts;

beforeAll(async () => {
  fonts = await Fonts.load();
});

describe('the fonts of documents', () => {
  it.each([
    'Invoice 1,234.00 €',
    'שָׁלוֹם ₪ 12',
    'Ελλάδα Привет',
    'فاتورة ضريبية',
    'Zażółć gęślą jaźń',
    'e\u0301',
  ])('have all characters of %j', (text) => {
    expect(fonts.withGlyphs(text)).toBe(text);
  });

  it.each([
    ['中文', '\ufffd\ufffd'],
    ['a😀b', 'a\ufffdb'],
    ['\ue000', '\ufffd'],
    ['\ufffe', '\ufffd'],
  ])('show the unknown %j as U+FFFD', (text, shown) => {
    expect(fonts.withGlyphs(text)).toBe(shown);
  });

  it('leave the letter without a mark that no font has together with it', () => {
    expect(fonts.withGlyphs('ש\u0903')).toBe('ש');
  });
});
