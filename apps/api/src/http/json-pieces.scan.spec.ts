import fc from 'fast-check';
import { exceededBoundInPieces, type JsonBounds } from './json-pieces';

const bytes = (text: string): Buffer => Buffer.from(text);

interface Scan {
  readonly exceeded: keyof JsonBounds | null;
  readonly pieces: number;
}

function scan(json: Buffer, bounds: JsonBounds): Scan {
  const steps = exceededBoundInPieces(json, bounds);
  for (let pieces = 1; ; pieces++) {
    const step = steps.next();
    if (step.done) return { exceeded: step.value, pieces };
  }
}

const exceededBound = (json: Buffer, bounds: JsonBounds): Scan['exceeded'] => scan(json, bounds).exceeded;

/** Computes the same figures from the parsed value. */
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
  it('are counted as in the parsed value', () => {
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
  ])('are counted correctly with %s', (_, json, values, depth) => {
    expect(exceededBound(bytes(json), { valuesMax: values, depthMax: depth })).toBeNull();
    expect(exceededBound(bytes(json), { valuesMax: values - 1, depthMax: depth })).toBe('valuesMax');
    expect(exceededBound(bytes(json), { valuesMax: values, depthMax: depth - 1 })).toBe('depthMax');
  });

  it('are counted in a truncated text, and in one with an unclosed string', () => {
    expect(exceededBound(bytes('['.repeat(50)), { valuesMax: 100, depthMax: 20 })).toBe('depthMax');
    expect(exceededBound(bytes('["a\\'), { valuesMax: 1, depthMax: 1 })).toBeNull();
  });

  it('are counted in pieces of a large text, with any piece boundaries', () => {
    const list = Array.from({ length: 40_000 }, (_, n) => ({ name: 'x'.repeat(n % 40), tiers: [[n]] }));
    const json = bytes(JSON.stringify({ list }));
    const { values, depth } = sizeOf({ list });
    const { exceeded, pieces } = scan(json, { valuesMax: values, depthMax: depth });
    expect(exceeded).toBeNull();
    expect(pieces).toBe(Math.ceil(json.length / (512 * 1024)));
    expect(exceededBound(json, { valuesMax: values - 1, depthMax: depth })).toBe('valuesMax');
    expect(scan(bytes(JSON.stringify([1])), { valuesMax: 1, depthMax: 1 }).pieces).toBe(1);
  });
});
