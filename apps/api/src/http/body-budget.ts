import { Places } from '@counterfoil/kernel';

const MIB = 1024 * 1024;
/** Bytes of bodies that one process holds at once. Of those a single company takes half at most, while no other does. */
const BYTES_MAX = 64 * MIB;
/** Requests that wait for room, and of those a company's. */
const WAITING_MAX = 1_000;
const WAITING_OF_COMPANY = 200;
const WAIT_MAX_MS = 2_000;
/** Callers without a key share what one company has. */
export const STRANGERS = 0;

/** A larger body takes more than its bytes while it is worked on: the values that are parsed out of it. */
const LARGE_BYTES = 256 * 1024;
const WEIGHT_OF_LARGE = 3;

/** The bytes that a body takes of the budget. */
export const weightOf = (bytes: number): number => (bytes > LARGE_BYTES ? WEIGHT_OF_LARGE * bytes : bytes);

export interface BudgetLimits {
  readonly bytesMax: number;
  readonly waitMaxMs: number;
}

/** The bytes that one body takes of the budget. */
export class BodyLease {
  /**
   * @param bytes as many as were taken
   * @param giveBack gives so many of them back, all that are left by default
   */
  constructor(
    private bytes: number,
    private readonly giveBack: (bytes?: number) => void,
  ) {}

  /** Of a body whose length nobody told: it holds no more than it has turned out to be. */
  shrinkTo(bytes: number): void {
    if (bytes >= this.bytes) return;
    this.giveBack(this.bytes - bytes);
    this.bytes = bytes;
  }

  release(): void {
    this.bytes = 0;
    this.giveBack();
  }
}

/**
 * Bounds the memory that bodies take while they are received and worked on, whatever number of them is under way. A body
 * takes its whole length before it is read: taken as it comes, bodies that are half there could keep each other from
 * getting any further.
 */
export class BodyBudget {
  private readonly places: Places;
  private readonly seats: Places;
  /** By company, in the order in which they came. */
  private readonly waiting = new Map<number, Set<Waiting>>();

  constructor(private readonly limits: BudgetLimits = { bytesMax: BYTES_MAX, waitMaxMs: WAIT_MAX_MS }) {
    const { bytesMax } = limits;
    const what = 'request bodies';
    this.places = new Places({ inAll: bytesMax, ofCompany: bytesMax, leavesRoom: true, what });
    this.seats = new Places({ inAll: WAITING_MAX, ofCompany: WAITING_OF_COMPANY, leavesRoom: true, what });
  }

  /** Null when there is no room now, or others of the company came first. */
  tryTake(companyId: number, bytes: number): BodyLease | null {
    if (this.waiting.has(companyId) || !this.places.hasRoom(companyId, bytes)) return null;
    return this.lease(companyId, bytes);
  }

  /** @throws AppError `UNAVAILABLE` when there is no room for too long, or too many wait */
  async wait(companyId: number, bytes: number): Promise<BodyLease> {
    const rise = this.seats.take(companyId);
    const queue = this.waiting.get(companyId) ?? new Set();
    this.waiting.set(companyId, queue);
    try {
      return await new Promise((resolve, reject) => {
        const admit = (lease: BodyLease): void => {
          clearTimeout(timer);
          resolve(lease);
        };
        const waiting: Waiting = { bytes, admit };
        const timer = setTimeout(() => {
          this.leave(companyId, waiting);
          reject(this.places.refusal());
        }, this.limits.waitMaxMs);
        queue.add(waiting);
      });
    } finally {
      rise();
    }
  }

  private lease(companyId: number, bytes: number): BodyLease {
    const leave = this.places.take(companyId, bytes);
    return new BodyLease(bytes, (part) => {
      leave(part);
      this.admitNext();
    });
  }

  private admitNext(): void {
    for (const [companyId, queue] of this.waiting) {
      for (const waiting of queue) {
        if (!this.places.hasRoom(companyId, waiting.bytes)) break;
        this.leave(companyId, waiting);
        waiting.admit(this.lease(companyId, waiting.bytes));
      }
    }
  }

  private leave(companyId: number, waiting: Waiting): void {
    const queue = this.waiting.get(companyId);
    queue?.delete(waiting);
    if (queue?.size === 0) this.waiting.delete(companyId);
  }
}

interface Waiting {
  readonly bytes: number;
  readonly admit: (lease: BodyLease) => void;
}
