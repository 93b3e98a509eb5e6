import { fill, formsOf, LANGUAGES } from '../src/app/messages.ts';
import { cataloguesIn, TEXT_FILES } from './words';

/** Of the form for many: a form for one may say it in a word. */
const placeholders = (text: string): string[] =>
  [
    ...formsOf(text)
      .at(-1)!
      .matchAll(/\{\w+\}/g),
  ]
    .map(([name]) => name)
    .sort();

it('finds the texts of the shell and of every screen', () => {
  expect(TEXT_FILES.length).toBeGreaterThan(5);
});

it.each(TEXT_FILES)('%s has every text in every language, with the same placeholders', (file) => {
  const catalogues = cataloguesIn(file);
  expect(catalogues.length).toBeGreaterThan(0);
  for (const { en, ...others } of catalogues) {
    expect(Object.keys(others).sort()).toEqual(LANGUAGES.filter((language) => language !== 'en'));
    for (const other of Object.values(others)) {
      expect(Object.keys(other).sort()).toEqual(Object.keys(en).sort());
      for (const [key, text] of Object.entries(en)) {
        expect(other[key]?.trim()).toBeTruthy();
        expect({ key, found: placeholders(other[key] ?? '') }).toEqual({ key, found: placeholders(text) });
      }
    }
  }
});

it('fills in values, and leaves unknown placeholders', () => {
  expect(fill('{a} of {b}', { a: 1 })).toBe('1 of {b}');
});

it.each([
  [1, 'one line in {b}'],
  [0, '0 lines in {b}'],
  [21, '21 lines in {b}'],
  ['1', 'one line in {b}'],
])('says %p in the form of one or of many', (a, said) => {
  expect(fill('one line in {b}|{a} lines in {b}', { a })).toBe(said);
});
