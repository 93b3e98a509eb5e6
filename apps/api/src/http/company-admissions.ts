import type { AppError } from '@counterfoil/kernel';
import { UnavailableError } from '@counterfoil/kernel';

/** This many concurrent requests of a company are never delayed, however busy the process is. */
const UNDELAYED = 2;
/** JSON of this many bytes, parsed or written, counts as another request. */
const BYTES_OF_REQUEST = 16 * 1024;
/** A company with a smaller load is forgotten. */
const LOAD_MIN = 0.1;
const INTERVAL_MIN_MS = 1;
const INTERVAL_MAX_MS = 50;
const WAITING_MAX = 1_000;
/** Well below the time limit of an answer, because an admitted request still needs time for its work. */
const WAIT_MAX_MS = 5_000;
const RETRY_AFTER_SECONDS = 2;

export interface Arrival {
  /** Whether the request takes long but uses the event loop little, like an upload. Only its arrival counts. */
  readonly isLong: boolean;
  /** The size of its JSON body, as announced. */
  readonly bytes: number;
}

/** A request at the gate: admitted or waiting. */
export interface Admission {
  /** Null if the request is admitted at once. Rejects with AppError `UNAVAILABLE` after 5 s, or if it has left. */
  readonly wait: Promise<void> | null;
  /** Counts further work: JSON of this many bytes. */
  readonly charge: (bytes: number) => void;
  /** Ends the work or the wait. Later calls do nothing. */
  readonly leave: () => void;
}

interface Entry extends Arrival {
  /** Whether it counts in `open`. */
  isOpen: boolean;
  readonly until: number;
  admit: () => void;
  refuse: () => void;
}

/** Admits the requests of one company: at once, or at intervals. */
export class CompanyAdmissions {
  /** Admitted requests in progress, without those that take long. */
  private open = 0;
  private recentLoad = 0;
  /** The time between two admissions; 0 if requests are not delayed. */
  private intervalMs = 0;
  /** The earliest time of the next admission. */
  private nextAt = 0;
  /** In the order of their arrival. */
  private readonly waiting = new Set<Entry>();
  private timer: NodeJS.Timeout | undefined;

  get load(): number {
    return this.recentLoad + this.waiting.size;
  }

  get isIdle(): boolean {
    return this.open === 0 && this.intervalMs === 0 && this.load < LOAD_MIN;
  }

  enter(arrival: Arrival): Admission {
    const now = performance.now();
    const nothing = (): void => undefined;
    const entry: Entry = {
      ...arrival,
      isOpen: false,
      until: now + WAIT_MAX_MS,
      admit: nothing,
      refuse: nothing,
    };
    const admission = { charge: (bytes: number) => this.charge(bytes), leave: () => this.leave(entry) };
    if (this.isUndelayed(entry) || (this.waiting.size === 0 && this.takeTurn(now))) {
      this.start(entry);
      return { ...admission, wait: null };
    }
    if (this.waiting.size >= WAITING_MAX) throw refusal();
    const wait = new Promise<void>((resolve, reject) => {
      entry.admit = resolve;
      entry.refuse = () => reject(refusal());
    });
    this.waiting.add(entry);
    this.schedule();
    return { ...admission, wait };
  }

  fade(rest: number): void {
    this.recentLoad *= rest;
  }

  changeInterval(factor: number): void {
    const intervalMs = Math.min(INTERVAL_MAX_MS, this.intervalMs * factor);
    if (intervalMs >= INTERVAL_MIN_MS) this.intervalMs = intervalMs;
    else this.intervalMs = factor > 1 ? INTERVAL_MIN_MS : 0;
    this.admitDue();
  }

  private charge(bytes: number): void {
    this.recentLoad += bytes / BYTES_OF_REQUEST;
  }

  private leave(entry: Entry): void {
    if (this.waiting.delete(entry)) entry.refuse();
    else if (entry.isOpen) {
      entry.isOpen = false;
      this.open -= 1;
      this.admitDue();
    }
  }

  private start(entry: Entry): void {
    this.recentLoad += 1;
    this.charge(entry.bytes);
    if (entry.isLong) return;
    entry.isOpen = true;
    this.open += 1;
  }

  private isUndelayed({ isLong }: Entry): boolean {
    return !isLong && this.open < UNDELAYED;
  }

  private takeTurn(now: number): boolean {
    if (now < this.nextAt) return false;
    this.nextAt = now + this.intervalMs;
    return true;
  }

  private admitDue(): void {
    const now = performance.now();
    for (const entry of this.waiting) {
      if (now > entry.until) {
        this.waiting.delete(entry);
        entry.refuse();
      } else if (this.isUndelayed(entry) || this.takeTurn(now)) {
        this.waiting.delete(entry);
        this.start(entry);
        entry.admit();
      } else if (this.open >= UNDELAYED) break;
    }
    this.schedule();
  }

  private schedule(): void {
    if (this.waiting.size === 0 || this.timer) return;
    const dueInMs = Math.max(1, this.nextAt - performance.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.admitDue();
    }, dueInMs);
  }
}

function refusal(): AppError {
  return new UnavailableError('busy', 'too many requests of this company are in progress; try again', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
