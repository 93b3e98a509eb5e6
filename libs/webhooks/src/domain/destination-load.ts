/**
 * Deliveries that are under way to one destination, over all endpoints, companies and workers: enough for a receiver that
 * many companies use (2,500 a second where it answers in 200 ms), and few for a server to hold open.
 */
export const DESTINATION_SLOTS = 512;
/** Additional slots for proven lanes: attempts that hang do not take the slots of those that are answered. */
export const PROVEN_SLOTS = 128;
/**
 * One company's part of them. Its 50 endpoints have their two own slots each, so that they cannot starve one another;
 * and no company takes a destination from the others.
 */
export const COMPANY_SLOTS = 128;
/**
 * The burst, and the rate per second, of attempts to one destination that open a connection or are not acknowledged.
 * A receiver acknowledges on kept connections, and is not slowed down. An address that was named only to be flooded
 * is. Proven lanes are not charged, so that a failing endpoint does not use up the share of a healthy one at the same
 * address (contract §15.12).
 */
export const UNWELCOME_BURST = 512;
export const UNWELCOME_PER_SECOND = 200;

const SECOND_MS = 1_000;

/** The part of each bound that is one worker's, rounded down: all parts together keep to the bound. */
export class Bounds {
  readonly slots: number;
  readonly slotsProven: number;
  readonly ofCompany: number;
  readonly burst: number;
  readonly perSecond: number;

  constructor(workers: number) {
    const part = (bound: number): number => Math.max(1, Math.floor(bound / workers));
    this.slots = part(DESTINATION_SLOTS);
    this.slotsProven = this.slots + part(PROVEN_SLOTS);
    this.ofCompany = part(COMPANY_SLOTS);
    this.burst = part(UNWELCOME_BURST);
    this.perSecond = UNWELCOME_PER_SECOND / workers;
  }
}

/** A company at a destination. */
class Presence {
  inFlight = 0;
  private unwelcome = 0;
  private at = 0;

  countUnwelcome(now: number): void {
    this.unwelcome = this.recent(now) + 1;
    this.at = now;
  }

  /** The company's use of the destination: its attempts under way, and its recent costs, halved every second. */
  weight(now: number): number {
    return this.inFlight + this.recent(now);
  }

  private recent(now: number): number {
    return this.unwelcome * 2 ** ((this.at - now) / SECOND_MS);
  }
}

/** A delivery that is under way, as far as its destinations are concerned. */
export interface Visit {
  readonly destinations: readonly string[];
  readonly companyId: number;
  /** Whether the lane's last delivery was acknowledged there on a connection that had been open. */
  readonly proven: boolean;
}

/** The deliveries of a worker to one destination. */
export class Load {
  private inFlight = 0;
  /** Of those in flight. */
  private unproven = 0;
  private tokens: number;
  private readonly companies = new Map<number, Presence>();

  constructor(
    private at: number,
    private readonly boundsNow: () => Bounds,
  ) {
    this.tokens = boundsNow().burst;
  }

  enter({ companyId, proven }: Visit): void {
    this.inFlight += 1;
    if (!proven) {
      this.unproven += 1;
      this.tokens -= 1;
    }
    this.presenceOf(companyId).inFlight += 1;
  }

  leave({ companyId, proven }: Visit, welcome: boolean, now: number): void {
    const company = this.presenceOf(companyId);
    this.inFlight -= 1;
    if (!proven) this.unproven -= 1;
    company.inFlight -= 1;
    if (!welcome) company.countUnwelcome(now);
    else if (!proven) this.tokens = Math.min(this.boundsNow().burst, this.tokens + 1);
  }

  slots(proven: boolean): number {
    const { slots, slotsProven } = this.boundsNow();
    const left = slotsProven - this.inFlight;
    return proven ? left : Math.min(left, slots - this.unproven);
  }

  slotsOf(companyId: number): number {
    return this.boundsNow().ofCompany - (this.companies.get(companyId)?.inFlight ?? 0);
  }

  tokensAt(now: number): number {
    this.refill(now);
    return Math.floor(this.tokens);
  }

  weightOf(companyId: number, now: number): number {
    return this.companies.get(companyId)?.weight(now) ?? 0;
  }

  isIdle(now: number): boolean {
    this.refill(now);
    return this.inFlight === 0 && this.tokens === this.boundsNow().burst;
  }

  private refill(now: number): void {
    const { burst, perSecond } = this.boundsNow();
    const gained = ((now - this.at) / SECOND_MS) * perSecond;
    this.tokens = Math.min(burst, this.tokens + gained);
    this.at = now;
  }

  private presenceOf(companyId: number): Presence {
    const known = this.companies.get(companyId) ?? new Presence();
    this.companies.set(companyId, known);
    return known;
  }
}
