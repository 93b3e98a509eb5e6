import { FINE_MAX, FINE_SCALE, hasScale } from '@counterfoil/kernel';
import fc from 'fast-check';
import { isFine } from './entry-fields';

const STEPS = 10 ** FINE_SCALE;

describe('a number of at most 4 decimals', () => {
  it('is told as exact decimals tell it', () => {
    const fine = fc
      .maxSafeNat()
      .map((steps) => steps % 99_999_999_999_999)
      .map((steps) => steps / STEPS);
    const neighbour = fc
      .tuple(fine, fc.constantFrom(-1, 1))
      .map(([value, sign]) => value + sign * Number.EPSILON * value);
    const any = fc.double({ min: 0, max: FINE_MAX, noNaN: true });
    fc.assert(
      fc.property(fc.oneof(fine, neighbour, any), (value) => isFine(value) === hasScale(value, FINE_SCALE)),
      { numRuns: 20_000 },
    );
  });

  it.each([0, 0.0001, 0.1, 1.0005, 9.9999, 4_294_967_296.0001, FINE_MAX])('is %d', (value) => {
    expect(isFine(value)).toBe(true);
  });

  it.each([0.00001, 1e-7, 1.00005, 0.1 + 0.2, 9_999_999_999.99995])('is not %d', (value) => {
    expect(isFine(value)).toBe(false);
  });
});
