import { inBothLanguages } from './document-language';

it('joins the texts of two catalogues, also of catalogues in them', () => {
  const he = { title: 'קבלה', none: null, types: { QUOTE: 'הצעה' }, dir: () => 'rtl' };
  const en = { title: 'Receipt', none: null, types: { QUOTE: 'Quote' }, dir: () => 'ltr' };
  const both = inBothLanguages<typeof he>(he, en);
  expect(both).toMatchObject({ title: 'קבלה / Receipt', none: null, types: { QUOTE: 'הצעה / Quote' } });
  expect(both.dir()).toBe('rtl');
});

it('joins with what stands between the texts', () => {
  expect(inBothLanguages('שלום', 'Hello', '\n')).toBe('שלום\nHello');
});
