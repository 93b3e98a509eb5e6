import fs from 'node:fs';
import path from 'node:path';
import { translateProblem } from '../src/parts/field-problems.ts';

const FIELDS = path.resolve(__dirname, '../../api/src/http/fields.ts');
const SENTENCE = /'(must [^']+)'|`(must [^`]+)`/g;

/** The sentences of the rules that the fields of all bodies share, with 5 for each value. */
const shared = [...fs.readFileSync(FIELDS, 'utf8').matchAll(SENTENCE)].map(([, plain, template = '']) =>
  (plain ?? template).replace(/\$\{minItems === 1[^}]+\}/, 'entries').replace(/\$\{[^}]+\}/g, '5'),
);

it('finds the shared rules of fields', () => {
  expect(shared.length).toBeGreaterThan(25);
});

it.each(shared)('translates "%s"', (problem) => {
  expect(translateProblem(problem, 'he')).toMatch(/^[^a-z]*\p{Script=Hebrew}/u);
  expect(translateProblem(problem, 'en')).toBe(problem);
});

it.each([
  ['must be at most 20 characters', 'לכל היותר 20 תווים'],
  ['must be at most 3.5, which is the available quantity', 'לכל היותר 3.5, שהיא הכמות הזמינה'],
  ['must not be before 2026-01-01', 'לא יכול להיות לפני 2026-01-01'],
  ['must not be before 2026-01-01: the books are closed', 'לא יכול להיות לפני 2026-01-01: הספרים סגורים'],
])('keeps the values of "%s"', (problem, translated) => {
  expect(translateProblem(problem, 'he')).toBe(translated);
});

it.each(['must be at most the total', 'is odd', ''])('knows no rule of "%s"', (problem) => {
  expect(translateProblem(problem, 'he')).toBeNull();
});
