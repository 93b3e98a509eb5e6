/**
 * Limits the deliveries in flight to one destination over all endpoints, companies and workers. It is enough
 * for a receiver that many companies use (2,500 per second if it answers in 200 ms), and few connections for
 * a server to hold open.
 */
export const DESTINATION_SLOTS = 512;
/** Additional slots for proven lanes, so that attempts that hang do not take the slots of healthy lanes. */
export const PROVEN_SLOTS = 128;
/**
 * The limit of one company. It covers two own slots for each of its 50 endpoints, so that they do not starve
 * each other, and it leaves most of the destination to other companies.
 */
export const COMPANY_SLOTS = 128;
/**
 * Rate limit for attempts to one destination that open a connection or are not acknowledged: the burst, and
 * the rate per second. A willing receiver acknowledges on kept connections and is not limited. An address
 * that was registered only to be flooded is. Proven lanes are exempt, so that a failing endpoint does not use
 * up the limit of a healthy one at the same address (contract §15.12).
 */
export const UNWELCOME_BURST = 512;
export const UNWELCOME_PER_SECOND = 200;

const SECOND_MS = 1_000;

/** Divides each limit by the number of workers, rounded down, so that all workers together keep to it. */
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

/** A company's use of a destination. */
class Presence {
  inFlight = 0;
  private unwelcome = 0;
  private at = 0;

  countUnwelcome(now: number): void {
    this.unwelcome = this.recent(now) + 1;
    this.at = now;
  }

  /**
   * The company's use of the destination: its attempts in flight plus its recent unwelcome attempts, which
   * count half as much after each second.
   */
  weight(now: number): number {
    return this.inFlight + this.recent(now);
  }

  private recent(now: number): number {
    return this.unwelcome * 2 ** ((this.at - now) / SECOND_MS);
  }
}

/** A delivery in flight, with the data that the limits of its destinations need. */
export interface Visit {
  readonly destinations: readonly string[];
  readonly companyId: number;
  /**
   * True if the lane's last delivery to these destinations was acknowledged on a connection that was already
   * open.
   */
  readonly proven: boolean;
}

/** The deliveries in flight from this worker to one destination. */
export class Load {
  private inFlight = 0;
  /** The unproven ones among those in flight. */
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
