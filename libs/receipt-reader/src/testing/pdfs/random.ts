/** Deterministic pseudo-random choices: the same seed always gives the same ones. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** At least 0 and less than `most`. */
  below(most: number): number {
    // Mulberry32.
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * most);
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}
