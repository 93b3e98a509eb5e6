import { median } from './figures';

/** Makes calls with `callers` concurrent callers for `durationMs`. Returns the answered calls per second. */
export async function callsPerSecond(
  durationMs: number,
  callers: number,
  call: () => Promise<unknown>,
): Promise<number> {
  let answered = 0;
  const started = performance.now();
  const caller = async () => {
    while (performance.now() - started < durationMs) {
      await call();
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return answered / ((performance.now() - started) / 1_000);
}

export interface Slices {
  readonly rounds: number;
  readonly sliceMs: number;
  readonly callers: number;
}

/**
 * Measures a time slice of each variant in every round, in a different order each time, so that a disturbance of
 * the machine affects all variants.
 *
 * @returns the calls per second of each round by variant, without the first round
 */
export async function ratesInTurn<Name extends string>(
  names: readonly Name[],
  { rounds, sliceMs, callers }: Slices,
  call: (name: Name) => Promise<unknown>,
): Promise<Readonly<Record<Name, number[]>>> {
  const rates = Object.fromEntries(names.map((name): [string, number[]] => [name, []])) as Record<
    Name,
    number[]
  >;
  for (let round = 0; round <= rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length];
      if (name === undefined) continue;
      const rate = await callsPerSecond(sliceMs, callers, () => call(name));
      if (round > 0) rates[name].push(rate);
    }
  }
  return rates;
}

/** Returns the median of a figure computed in each round. */
export function ofRounds(
  first: readonly number[],
  second: readonly number[],
  figure: (first: number, second: number) => number = (one, other) => one / other,
): number {
  return median(first.map((rate, round) => figure(rate, second[round] ?? NaN)));
}
