/** The time of a document until it is answered with the pages read so far, in ms. */
export interface ReadingLimits {
  /** Elapsed time that every document has. */
  readonly ms: number;
  /** On a busy machine a document goes on until it has used this much processor time … */
  readonly cpuMs: number;
  /** … or this much time has elapsed. */
  readonly busyMs: number;
}

/** Elapsed time and processor time of this process, in ms. */
interface Times {
  readonly ms: number;
  readonly cpuMs: number;
}

/** Decides whether there is time for another page. It counts time as `DocumentTime` does. */
export class ReadingTime {
  private readonly begun: Times;
  private last: Times;
  private longest: Times = { ms: 0, cpuMs: 0 };

  /**
   * @param limits unlimited by default
   * @param now replaced in tests
   */
  constructor(
    private readonly limits: ReadingLimits = { ms: Infinity, cpuMs: Infinity, busyMs: Infinity },
    private readonly now: () => Times = timesOfProcess,
  ) {
    this.begun = this.last = now();
  }

  /** Call this after each page. Returns true if another page that takes as long as the longest one ends in time. */
  hasRoom(): boolean {
    const at = this.now();
    const page = between(this.last, at);
    this.last = at;
    this.longest = {
      ms: Math.max(this.longest.ms, page.ms),
      cpuMs: Math.max(this.longest.cpuMs, page.cpuMs),
    };
    const sofar = between(this.begun, at);
    const { ms, cpuMs } = { ms: sofar.ms + this.longest.ms, cpuMs: sofar.cpuMs + this.longest.cpuMs };
    return ms <= this.limits.ms || (cpuMs <= this.limits.cpuMs && ms <= this.limits.busyMs);
  }
}

const between = (from: Times, to: Times): Times => ({ ms: to.ms - from.ms, cpuMs: to.cpuMs - from.cpuMs });

function timesOfProcess(): Times {
  const { user, system } = process.cpuUsage();
  return { ms: performance.now(), cpuMs: (user + system) / 1000 };
}
