import { type Pick, textAfter } from '../src/parts/pick.ts';

const numbered = { id: 7, name: 'No. 7' };
const named = { id: 7, name: 'Paper House' };
const other = { id: 8, name: 'Ink Works' };

it.each<[string, string, [Pick | null, Pick | null], string]>([
  ['the name comes later', 'No. 7', [numbered, named], 'Paper House'],
  ['the name comes while something else is typed', 'ink', [numbered, named], 'ink'],
  ['the name comes after the field was emptied', '', [numbered, named], ''],
  ['another one is chosen', 'ink', [named, other], 'Ink Works'],
  ['the first one is chosen', 'ink', [null, other], 'Ink Works'],
  ['the choice is taken back', 'Paper House', [named, null], ''],
  ['the choice is taken back by typing', 'pap', [named, null], 'pap'],
])('%s', (_when, text, [before, chosen], shown) => {
  expect(textAfter(text, before, chosen)).toBe(shown);
});
