import { UNIT_MAX, UNIT_SCALE, hasScale } from '@counterfoil/kernel';
import fc from 'fast-check';
import { hasUnitScale } from './entry-fields';

const STEPS = 10 ** UNIT_SCALE;

describe('hasUnitScale', () => {
  it('agrees with exact decimal arithmetic', () => {
    const fine = fc
      .maxSafeNat()
      .map((steps) => steps % 99_999_999_999_999)
      .map((steps) => steps / STEPS);
    const neighbour = fc
      .tuple(fine, fc.constantFrom(-1, 1))
      .map(([value, sign]) => value + sign * Number.EPSILON * value);
    const any = fc.double({ min: 0, max: UNIT_MAX, noNaN: true });
    fc.assert(
      fc.property(
        fc.oneof(fine, neighbour, any),
        (value) => hasUnitScale(value) === hasScale(value, UNIT_SCALE),
      ),
      { numRuns: 20_000 },
    );
  });

  it.each([0, 0.0001, 0.1, 1.0005, 9.9999, 4_294_967_296.0001, UNIT_MAX])('accepts %d', (value) => {
    expect(hasUnitScale(value)).toBe(true);
  });

  it.each([0.00001, 1e-7, 1.00005, 0.1 + 0.2, 9_999_999_999.99995])('refuses %d', (value) => {
    expect(hasUnitScale(value)).toBe(false);
  });
});
