import fs from 'node:fs';
import path from 'node:path';
import { type Catalogue, fill, LANGUAGES } from '../src/app/messages.ts';

const SOURCES = path.resolve(__dirname, '../src');
const files = fs
  .readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(texts|title|-messages)\.ts$/.test(file));

const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

it('finds the texts of the shell and of every screen', () => {
  expect(files.length).toBeGreaterThan(5);
});

it.each(files)('%s has every text in every language, with the same placeholders', async (file) => {
  const catalogues = Object.values((await import(path.join(SOURCES, file))) as Record<string, Catalogue>);
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
