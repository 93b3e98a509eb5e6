import { relativeCost } from '@counterfoil/test-harness';
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

  it('of the maximum size is parsed in a moment', async () => {
    const headers = ['"'.repeat(15_999), '","'.repeat(5_000), ','.repeat(16_000), '='.repeat(16_000)];
    const cost = await relativeCost(() => {
      for (const header of headers) expect(prefersStrict(header)).toBe(false);
    });
    expect(cost).toBeLessThan(1);
  });
});
