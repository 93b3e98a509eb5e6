import { assertRates, type DayRate, inShekels, RATE_UNITS, type RateUnit } from './exchange-rate';

const CASES = 100_000;

/** Returns a generator of deterministic pseudo-random numbers. */
function drawing(seed: number): (below: number) => number {
  let state = BigInt(seed);
  return (below) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number((state >> 11n) % BigInt(below));
  };
}

/** A model of the rounding: half away from zero, in integers. */
function dividedAndRounded(dividend: bigint, divisor: bigint): bigint {
  const [size, sign] = dividend < 0n ? [-dividend, -1n] : [dividend, 1n];
  return sign * ((2n * size + divisor) / (2n * divisor));
}

describe('an amount in shekels', () => {
  it.each([
    [100, 3.0725, 1, 307.25],
    [0.01, 3.0725, 1, 0.03],
    // Exactly half an agora, in both directions.
    [0.5, 3.01, 1, 1.51],
    [-0.5, 3.01, 1, -1.51],
    [1.05, 1.1, 1, 1.16],
    // The double 1.005 is slightly less than 1.005.
    [1, 1.005, 1, 1.01],
    [12_345, 1.971, 100, 243.32],
    [1_000_000, 0.0003, 10, 30],
    [1, 0.0001, 1000, 0],
    [0, 3.7, 1, 0],
    [999_999_999_999.99, 1, 1, 999_999_999_999.99],
  ])('%d by %d for %d is %d', (total, rate, unit, expected) => {
    expect(inShekels(total, { rate, unit: unit as RateUnit })).toBe(expected);
  });

  it('is null if it exceeds the maximum amount', () => {
    expect(inShekels(999_999_999_999.99, { rate: 1.0001, unit: 1 })).toBeNull();
    expect(inShekels(999_999_999_999.99, { rate: 9_999_999_999.9999, unit: 1000 })).toBeNull();
    expect(inShekels(-999_999_999_999.99, { rate: 2, unit: 1 })).toBeNull();
  });

  it('is the maximum amount if it is rounded to it', () => {
    expect(inShekels(999_700_089_973, { rate: 1.0003, unit: 1 })).toBe(999_999_999_999.99);
  });

  it(`is exact for ${CASES} random amounts, individually and in their sum`, () => {
    const draw = drawing(20_261_122);
    let [sum, modelSum] = [0n, 0n];
    for (let at = 0; at < CASES; at++) {
      // Amounts of all sizes, from agorot to unrealistically large ones.
      const cents = draw(10 ** (1 + draw(11))) * (draw(5) === 0 ? -1 : 1);
      const rate = 1 + draw(10 ** (1 + draw(6)));
      const unit = RATE_UNITS[draw(RATE_UNITS.length)]!;
      const expected = dividedAndRounded(BigInt(cents) * BigInt(rate), 10_000n * BigInt(unit));
      const shekels = inShekels(cents / 100, { rate: rate / 10_000, unit });
      const agorot = BigInt(Math.round(shekels! * 100));
      if (agorot !== expected || Number(agorot) / 100 !== shekels) {
        throw new Error(`${cents} cents by ${rate}/10000 for ${unit} are ${shekels}, not ${expected} agorot`);
      }
      sum += agorot;
      modelSum += expected;
    }
    expect(sum).toBe(modelSum);
  });
});

describe('rates to be saved', () => {
  const rate = (other: Partial<DayRate>): DayRate => ({
    ...{ currency: 'USD', date: '2026-11-20', rate: 3.1, unit: 1 },
    ...other,
  });
  const problemsOf = (rates: readonly DayRate[]) => {
    try {
      assertRates(rates);
    } catch (error) {
      return (error as { details: readonly { field: string }[] }).details.map(({ field }) => field);
    }
    return [];
  };

  it('must be unique by currency and day', () => {
    const eur = rate({ currency: 'EUR' });
    expect(problemsOf([rate({}), eur, rate({ date: '2026-11-19' })])).toEqual([]);
    expect(problemsOf([rate({}), eur, rate({ rate: 3.2 }), rate({ unit: 100 })])).toEqual([
      'rates[2]',
      'rates[3]',
    ]);
  });

  it('must not be for shekels, and must be within the bounds of days', () => {
    expect(problemsOf([rate({}), rate({ currency: 'ILS' })])).toEqual(['rates[1].currency']);
    const days = ['1969-12-31', '1970-01-01', '2100-12-31', '2101-01-01'];
    expect(problemsOf(days.map((date) => rate({ date })))).toEqual(['rates[0].date', 'rates[3].date']);
  });
});
