import { createHash } from 'node:crypto';

/** Chances that fall the same whenever the seed is the same. */
export class Rng {
  private throws = 0;

  constructor(private readonly seed: string) {}

  /** From `least` to below `most`, as likely anywhere. */
  between([least, most]: readonly [least: number, most: number]): number {
    const hash = createHash('sha256').update(`${this.seed} ${this.throws++}`).digest();
    return least + (hash.readUInt32BE(0) / 2 ** 32) * (most - least);
  }
}
