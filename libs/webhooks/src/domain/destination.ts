import { Bounds, Load, type Visit } from './destination-load';
import type { Lane } from './lane';

/** Beyond this number, idle destinations are evicted. */
const LOADS_MAX = 10_000;

/** A lane with its destinations. */
export interface LaneToDestination extends Lane {
  /** Empty until the first delivery of the lane. */
  readonly destinations: readonly string[];
  readonly proven: boolean;
}

/**
 * Limits the deliveries of a worker to each destination. Each worker keeps to its share of the limits, so no
 * communication between workers is needed. Times are in milliseconds on the monotonic clock.
 */
export class DestinationLoads {
  private readonly loads = new Map<string, Load>();
  private bounds = new Bounds(1);
  private boundsOf = 1;

  /** @param workers returns the current number of workers, including this one */
  constructor(private readonly workers: () => number = () => 1) {}

  /** Starts a delivery. Returns false if one of the destinations is at its limit. */
  enter(visit: Visit, now: number): boolean {
    const { destinations, companyId, proven } = visit;
    if (Math.min(this.slotsAt(destinations, proven), this.slotsOf(companyId, destinations)) < 1) return false;
    if (!proven && this.tokensAt(destinations, now) < 1) return false;
    if (this.loads.size >= LOADS_MAX) this.forgetIdle(now);
    for (const destination of destinations) {
      const load = this.loads.get(destination) ?? new Load(now, this.boundsNow);
      this.loads.set(destination, load);
      load.enter(visit);
    }
    return true;
  }

  /**
   * Ends a delivery.
   *
   * @param welcome true if the delivery was acknowledged on a connection that was already open
   */
  leave(visit: Visit, welcome: boolean, now: number): void {
    for (const destination of visit.destinations) {
      const load = this.loads.get(destination);
      load?.leave(visit, welcome, now);
      if (load?.isIdle(now)) this.loads.delete(destination);
    }
  }

  /**
   * Returns the number of deliveries that each lane may start within the limits of its destinations. The free
   * slots of a destination are given out one by one, each to the company with the lowest use of it, and
   * within a company to its lanes in turn. An unproven lane also needs a token for each delivery. Lanes whose
   * destinations are not known yet are left out.
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
    let slots = this.slotsAt(destinations, true);
    let slotsUnproven = this.slotsAt(destinations, false);
    let tokens = this.tokensAt(destinations, now);
    let open = this.turnsOf(group, now);
    for (const lane of group) shares.set(lane, 0);
    while (slots > 0 && open.length > 0) {
      const turn = open.reduce((best, other) => (other.weight < best.weight ? other : best));
      const lane = nextOf(turn, Math.min(tokens, slotsUnproven));
      if (!lane) {
        open = open.filter((other) => other !== turn);
        continue;
      }
      const share = (shares.get(lane) ?? 0) + 1;
      shares.set(lane, share);
      slots -= 1;
      if (!lane.proven) {
        slotsUnproven -= 1;
        tokens -= 1;
      }
      turn.slots -= 1;
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
        turns.set(companyId, { lanes: [lane], slots: this.slotsOf(companyId, destinations), weight });
      }
    }
    return [...turns.values()];
  }

  private forgetIdle(now: number): void {
    for (const [destination, load] of this.loads) if (load.isIdle(now)) this.loads.delete(destination);
  }

  private readonly boundsNow = (): Bounds => {
    const workers = this.workers();
    if (workers !== this.boundsOf) {
      this.bounds = new Bounds(workers);
      this.boundsOf = workers;
    }
    return this.bounds;
  };

  private slotsAt(destinations: readonly string[], proven: boolean): number {
    const { slots, slotsProven } = this.boundsNow();
    return Math.min(
      proven ? slotsProven : slots,
      ...this.loadsAt(destinations).map((load) => load.slots(proven)),
    );
  }

  private slotsOf(companyId: number, destinations: readonly string[]): number {
    return Math.min(
      this.boundsNow().ofCompany,
      ...this.loadsAt(destinations).map((load) => load.slotsOf(companyId)),
    );
  }

  private tokensAt(destinations: readonly string[], now: number): number {
    return Math.min(this.boundsNow().burst, ...this.loadsAt(destinations).map((load) => load.tokensAt(now)));
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
  slots: number;
  weight: number;
}

/** Returns the next lane of a company that may start one more delivery. Skips lanes that may not. */
function nextOf<L extends LaneToDestination>({ lanes, slots }: Turn<L>, roomUnproven: number): L | undefined {
  if (slots < 1) return undefined;
  let lane = lanes.shift();
  while (lane && !lane.proven && roomUnproven < 1) lane = lanes.shift();
  return lane;
}
