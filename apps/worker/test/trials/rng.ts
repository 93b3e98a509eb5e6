import { createHash } from 'node:crypto';

/** Deterministic pseudo-random numbers from a seed. */
export class Rng {
  private throws = 0;

  constructor(private readonly seed: string) {}

  /** Returns a uniformly distributed number from `least` to below `most`. */
  between([least, most]: readonly [least: number, most: number]): number {
    const hash = createHash('sha256').update(`${this.seed} ${this.throws++}`).digest();
    return least + (hash.readUInt32BE(0) / 2 ** 32) * (most - least);
  }
}
