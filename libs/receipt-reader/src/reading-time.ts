/** Time that a document may take until it is answered with the pages read so far. */
export class ReadingTime {
  private readonly begunAt: number;
  private lastAt: number;
  private longestMs = 0;

  /** @param now milliseconds; replaced in tests */
  constructor(
    private readonly limitMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.begunAt = this.lastAt = now();
  }

  /** Call this after each page. Returns true if another page that takes as long as the longest one ends in time. */
  hasRoom(): boolean {
    const at = this.now();
    this.longestMs = Math.max(this.longestMs, at - this.lastAt);
    this.lastAt = at;
    return at - this.begunAt + this.longestMs <= this.limitMs;
  }
}
