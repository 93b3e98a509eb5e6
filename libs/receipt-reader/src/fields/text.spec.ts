import { withoutBrackets } from './text';

it.each([
  ['Acme (UK) Ltd', 'Acme   Ltd'],
  ['(a) b (c)', '  b  '],
  ['a (b (c) d) e', 'a   d) e'],
  ['a) b (c', 'a) b (c'],
])('removes the brackets of %s', (text, rest) => expect(withoutBrackets(text)).toBe(rest));

it('reads a text of opening brackets in linear time', () => {
  const started = performance.now();
  withoutBrackets('('.repeat(1_000_000));
  expect(performance.now() - started).toBeLessThan(1_000);
});
