import { seeded } from '../noise';

/** A source of deterministic pseudo-random choices. */
export class Draw {
  private readonly random: () => number;

  constructor(seed: number) {
    this.random = seeded(seed);
    // The first numbers of neighbouring seeds are alike.
    for (let index = 0; index < 8; index++) this.random();
  }

  /** Returns a number from 0 to 1, excluding 1. */
  share(): number {
    return this.random();
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.random() < probability;
  }

  /** Returns a whole number between both bounds, which are included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least + 1));
  }

  /** Returns one of the values, which must not be empty. */
  one<Value>(values: readonly Value[]): Value {
    const value = values[Math.floor(this.random() * values.length)];
    if (value === undefined) throw new RangeError('no values to choose from');
    return value;
  }

  digits(count: number): string {
    return Array.from({ length: count }, (_, index) => this.whole(index === 0 ? 1 : 0, 9)).join('');
  }
}

/** Returns a seed for a text, such as the purpose of a choice. */
export function seedOf(text: string): number {
  let hash = 2166136261;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0;
  return hash;
}
