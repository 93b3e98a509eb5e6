import fc from 'fast-check';
import { exceededBound } from './json-pieces';

const bytes = (text: string): Buffer => Buffer.from(text);

/** The same, by walking the parsed value. */
function sizeOf(value: unknown): { values: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { values: 0, depth: 0 };
  const entries: unknown[] = Object.values(value);
  const sizes = entries.map(sizeOf);
  return {
    values: sizes.reduce((sum, size) => sum + size.values, entries.length),
    depth: 1 + sizes.reduce((most, size) => Math.max(most, size.depth), 0),
  };
}

describe('the values and levels of a JSON text', () => {
  it('are counted as parsing it would count them', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 1, '\t'), (value, indent) => {
        const json = bytes(JSON.stringify(value, null, indent));
        const { values, depth } = sizeOf(JSON.parse(json.toString()));
        expect(exceededBound(json, { valuesMax: values, depthMax: depth })).toBeNull();
        if (values > 0)
          expect(exceededBound(json, { valuesMax: values - 1, depthMax: depth })).toBe('valuesMax');
        if (depth > 0)
          expect(exceededBound(json, { valuesMax: values, depthMax: depth - 1 })).toBe('depthMax');
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['brackets and commas in a text', '{"a":"[[,,{{"}', 1, 1],
    ['a quote in a text', '{"a":"\\",,,[","b":2}', 2, 1],
    ['a backslash at the end of a text', '{"a":"\\\\","b":[1]}', 3, 2],
    ['an escaped quote as \\u0022', '{"a":"\\u0022,","b":2}', 2, 1],
    ['a key that is written with escapes', '{"\\"a,":1}', 1, 1],
    ['white space in empty lists', '[ [\n] , [\t\r] ]', 2, 2],
    ['Hebrew', '{"שם":"א,ב"}', 1, 1],
  ])('are not deceived by %s', (_, json, values, depth) => {
    expect(exceededBound(bytes(json), { valuesMax: values, depthMax: depth })).toBeNull();
    expect(exceededBound(bytes(json), { valuesMax: values - 1, depthMax: depth })).toBe('valuesMax');
    expect(exceededBound(bytes(json), { valuesMax: values, depthMax: depth - 1 })).toBe('depthMax');
  });

  it('are counted of what is cut off as well, and at a text that never ends', () => {
    expect(exceededBound(bytes('['.repeat(50)), { valuesMax: 100, depthMax: 20 })).toBe('depthMax');
    expect(exceededBound(bytes('["a\\'), { valuesMax: 1, depthMax: 1 })).toBeNull();
  });
});
