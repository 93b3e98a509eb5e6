import type { Lane } from './lane';

/**
 * Deliveries that a worker has under way to one destination, over all endpoints and companies: enough for a receiver
 * that many companies use (2,500 a second where it answers in 200 ms), and few for a server to hold open.
 */
export const DESTINATION_PLACES = 512;
/** So many more for lanes that are proven: attempts that hang do not take the places of those that are answered. */
export const PROVEN_PLACES = 128;
/**
 * One company's part of them. Its 50 endpoints have their two own places each, so that they cannot starve one another;
 * and no company takes a destination from the others.
 */
export const COMPANY_PLACES = 128;
/**
 * Attempts to one destination that open a connection, or are not acknowledged: so many at once, and then so many a
 * second. A receiver acknowledges on connections that are kept, and is not slowed down; an address that was named only
 * to be flooded does not. A lane that is proven is not charged, so that an endpoint that fails does not use up what a
 * healthy one at the same address needs (spec: Delivery and retries, 4).
 */
export const UNWELCOME_BURST = 512;
export const UNWELCOME_PER_SECOND = 200;

const SECOND_MS = 1_000;
/** Beyond it, those that are idle are forgotten first. */
const LOADS_MAX = 10_000;

const placesInAll = (proven: boolean): number => DESTINATION_PLACES + (proven ? PROVEN_PLACES : 0);

/** A company at a destination. */
class Presence {
  inFlight = 0;
  private unwelcome = 0;
  private at = 0;

  countUnwelcome(now: number): void {
    this.unwelcome = this.recent(now) + 1;
    this.at = now;
  }

  /** Its part of the destination: what it has under way, and what it recently cost, halved with each second. */
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
class Load {
  private inFlight = 0;
  /** Of those in flight. */
  private unproven = 0;
  private tokens = UNWELCOME_BURST;
  private readonly companies = new Map<number, Presence>();

  constructor(private at: number) {}

  enter({ companyId, proven }: Visit): void {
    this.inFlight += 1;
    if (!proven) {
      this.unproven += 1;
      this.tokens -= 1;
    }
    this.of(companyId).inFlight += 1;
  }

  leave({ companyId, proven }: Visit, welcome: boolean, now: number): void {
    const company = this.of(companyId);
    this.inFlight -= 1;
    if (!proven) this.unproven -= 1;
    company.inFlight -= 1;
    if (!welcome) company.countUnwelcome(now);
    else if (!proven) this.tokens = Math.min(UNWELCOME_BURST, this.tokens + 1);
  }

  places(proven: boolean): number {
    const left = placesInAll(true) - this.inFlight;
    return proven ? left : Math.min(left, placesInAll(false) - this.unproven);
  }

  placesOf(companyId: number): number {
    return COMPANY_PLACES - (this.companies.get(companyId)?.inFlight ?? 0);
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
    return this.inFlight === 0 && this.tokens === UNWELCOME_BURST;
  }

  private refill(now: number): void {
    const gained = ((now - this.at) / SECOND_MS) * UNWELCOME_PER_SECOND;
    this.tokens = Math.min(UNWELCOME_BURST, this.tokens + gained);
    this.at = now;
  }

  private of(companyId: number): Presence {
    const known = this.companies.get(companyId) ?? new Presence();
    this.companies.set(companyId, known);
    return known;
  }
}

/** A lane of which it is known where it leads. */
export interface LaneToDestination extends Lane {
  /** Empty until its first delivery. */
  readonly destinations: readonly string[];
  readonly proven: boolean;
}

/** The deliveries of a worker to each destination. Times are in milliseconds on the monotonic clock. */
export class DestinationLoads {
  private readonly loads = new Map<string, Load>();

  /** Begins a delivery, unless one of the destinations is at its bound. */
  enter(visit: Visit, now: number): boolean {
    const { destinations, companyId, proven } = visit;
    if (Math.min(this.placesAt(destinations, proven), this.placesOf(companyId, destinations)) < 1)
      return false;
    if (!proven && this.tokensAt(destinations, now) < 1) return false;
    if (this.loads.size >= LOADS_MAX) this.forgetIdle(now);
    for (const destination of destinations) {
      const load = this.loads.get(destination) ?? new Load(now);
      this.loads.set(destination, load);
      load.enter(visit);
    }
    return true;
  }

  /** @param welcome whether the delivery was acknowledged on a connection that was open before */
  leave(visit: Visit, welcome: boolean, now: number): void {
    for (const destination of visit.destinations) {
      const load = this.loads.get(destination);
      load?.leave(visit, welcome, now);
      if (load?.isIdle(now)) this.loads.delete(destination);
    }
  }

  /**
   * How many deliveries of each lane may begin, as far as their destinations are concerned. Room at a destination goes
   * one by one to the company with the least part of it, and within a company to its lanes in turn; a lane that is not
   * proven needs a token for each. Of a lane whose destination is not known yet nothing is said.
   */
  share<L extends LaneToDestination>(lanes: readonly L[], now: number): ReadonlyMap<L, number> {
    const groups = new Map<string, L[]>();
    for (const lane of lanes) {
      const key = lane.destinations.join();
      if (key === '') continue;
      const group = groups.get(key);
      if (group) group.push(lane);
      else groups.set(key, [lane]);
    }
    const shares = new Map<L, number>();
    for (const group of groups.values()) this.shareOne(group, shares, now);
    return shares;
  }

  private shareOne<L extends LaneToDestination>(
    group: readonly L[],
    shares: Map<L, number>,
    now: number,
  ): void {
    const destinations = group[0]?.destinations ?? [];
    let places = this.placesAt(destinations, true);
    let placesUnproven = this.placesAt(destinations, false);
    let tokens = this.tokensAt(destinations, now);
    let open = this.turnsOf(group, now);
    for (const lane of group) shares.set(lane, 0);
    while (places > 0 && open.length > 0) {
      const turn = open.reduce((best, other) => (other.weight < best.weight ? other : best));
      const lane = nextOf(turn, Math.min(tokens, placesUnproven));
      if (!lane) {
        open = open.filter((other) => other !== turn);
        continue;
      }
      const share = (shares.get(lane) ?? 0) + 1;
      shares.set(lane, share);
      places -= 1;
      if (!lane.proven) {
        placesUnproven -= 1;
        tokens -= 1;
      }
      turn.places -= 1;
      turn.weight += 1;
      if (share < lane.window - lane.inFlight) turn.lanes.push(lane);
    }
  }

  private turnsOf<L extends LaneToDestination>(group: readonly L[], now: number): Turn<L>[] {
    const turns = new Map<number, Turn<L>>();
    for (const lane of group) {
      const { companyId, destinations } = lane;
      const known = turns.get(companyId);
      if (known) known.lanes.push(lane);
      else {
        const weight = this.weightAt(destinations, companyId, now);
        turns.set(companyId, { lanes: [lane], places: this.placesOf(companyId, destinations), weight });
      }
    }
    return [...turns.values()];
  }

  private forgetIdle(now: number): void {
    for (const [destination, load] of this.loads) if (load.isIdle(now)) this.loads.delete(destination);
  }

  private placesAt(destinations: readonly string[], proven: boolean): number {
    return Math.min(placesInAll(proven), ...this.loadsAt(destinations).map((load) => load.places(proven)));
  }

  private placesOf(companyId: number, destinations: readonly string[]): number {
    return Math.min(COMPANY_PLACES, ...this.loadsAt(destinations).map((load) => load.placesOf(companyId)));
  }

  private tokensAt(destinations: readonly string[], now: number): number {
    return Math.min(UNWELCOME_BURST, ...this.loadsAt(destinations).map((load) => load.tokensAt(now)));
  }

  private weightAt(destinations: readonly string[], companyId: number, now: number): number {
    return Math.max(0, ...this.loadsAt(destinations).map((load) => load.weightOf(companyId, now)));
  }

  private loadsAt(destinations: readonly string[]): Load[] {
    return destinations.flatMap((destination) => this.loads.get(destination) ?? []);
  }
}

/** A company's lanes to a destination, the next one first. */
interface Turn<L> {
  readonly lanes: L[];
  places: number;
  weight: number;
}

/** The next lane of a company that may begin one more delivery; those that may not are out of the turn. */
function nextOf<L extends LaneToDestination>(
  { lanes, places }: Turn<L>,
  roomUnproven: number,
): L | undefined {
  if (places < 1) return undefined;
  let lane = lanes.shift();
  while (lane && !lane.proven && roomUnproven < 1) lane = lanes.shift();
  return lane;
}
