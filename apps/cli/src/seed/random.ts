/** A sequence of numbers that depends only on its name, so that the same seed gives the same data. */
export class Random {
  #state: number;

  constructor(name: string) {
    this.#state = hashOf(name);
  }

  /** A whole number between both bounds, which are included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.#next() * (most - least + 1));
  }

  chance(percent: number): boolean {
    return this.int(1, 100) <= percent;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.int(0, values.length - 1)]!;
  }

  /** mulberry32: from 0 up to 1. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  return [...text].reduce((hash, char) => Math.imul(hash ^ char.codePointAt(0)!, 0x01000193), 0x811c9dc5);
}
