import { prefersStrict } from './prefer';

describe('a Prefer header', () => {
  it.each([
    'handling=strict',
    'Handling=STRICT',
    ' handling = strict ',
    'handling="strict"',
    'handling=strict; reason=x',
    'respond-async, handling=strict, wait=10',
    'note="a, b", handling=strict',
    'handling=strict, handling=lenient',
  ])('asks for strict handling: %s', (header) => expect(prefersStrict(header)).toBe(true));

  it.each([
    undefined,
    '',
    ',',
    '=',
    'handling',
    'handling=',
    'handling=lenient',
    'handling=strictly',
    'strict',
    'xhandling=strict',
    'handling=lenient, handling=strict',
    'note="a, handling=strict, b"',
    'note="handling=strict',
    'note=a; handling=strict',
  ])('does not: %s', (header) => expect(prefersStrict(header)).toBe(false));

  it('of the largest size is read in no time', () => {
    const started = performance.now();
    for (const header of ['"'.repeat(15_999), '","'.repeat(5_000), ','.repeat(16_000), '='.repeat(16_000)])
      expect(prefersStrict(header)).toBe(false);
    expect(performance.now() - started).toBeLessThan(50);
  });
});
