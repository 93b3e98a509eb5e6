import type { DestinationLoads, LaneToDestination } from '../domain/destination';
import type { EndpointRef } from '../domain/endpoint';
import { type Allotment, OWN_SLOTS, type ResponseSpeed, shareSlots, windowAfter } from '../domain/lane';
import type { Claims, WantedSlots } from './ports/delivery.repository';

/**
 * After a lost connection, the next attempt needs a TLS handshake, which costs as much as a dozen deliveries.
 * So an endpoint that refuses, resets or floods connections is tried less often.
 */
const PAUSE_AFTER_LOST_CONNECTION_MS = 100;
/** The delay doubles with each lost connection, up to this maximum. */
const PAUSE_AFTER_LOST_CONNECTION_MAX_MS = 400;
/**
 * The maximum of lanes in one claim. The claim locks each of them, so deliveries to other lanes wait for it.
 * The number of lanes in trouble is small, because their attempts are likely to open connections, and many
 * handshakes at once delay everything else.
 */
const LANES_CLAIMED_MAX: Readonly<Record<Standing, number>> = { well: 200, new: 20, troubled: 10 };
/**
 * A worker starts no attempts for lanes of a standing while it has this many in flight. This limits the
 * sockets, however many endpoints do not answer. The differences are reserves: lanes in trouble do not delay
 * new lanes, and new lanes do not delay healthy ones.
 */
const IN_FLIGHT_MAX: Readonly<Record<Standing, number>> = { well: 5_000, new: 4_000, troubled: 3_000 };
/** Maximum number of idle lanes that are kept for the result of their last attempt. */
const IDLE_LANES_MAX = 10_000;

/**
 * How an endpoint has answered so far. `new`: not yet. `troubled`: slowly or without keeping its connections.
 */
export type Standing = 'well' | 'new' | 'troubled';

/** An endpoint that this worker serves. */
export class OpenLane implements LaneToDestination {
  destinations: readonly string[] = [];
  proven = false;
  inFlight = 0;
  window = OWN_SLOTS;
  /** The result of the last attempt; null before the first. */
  lastSpeed: ResponseSpeed | null = null;
  /** No attempt starts earlier, by the monotonic clock. */
  notBefore = 0;
  pauseMs = 0;
  /** More deliveries are due than could be claimed. Claim again when an attempt ends. */
  askAgain = false;
  /** True while a claim for this lane is in progress. */
  claiming = false;
  /** Counts wakes, so that a wake during a claim is not lost when the claim ends. */
  wakes = 0;

  constructor(
    readonly endpointId: string,
    readonly companyId: number,
  ) {}

  get slow(): boolean {
    return this.lastSpeed === 'slow';
  }

  get standing(): Standing {
    if (this.lastSpeed === null) return 'new';
    return this.lastSpeed === 'prompt' ? 'well' : 'troubled';
  }

  /** True if the lane itself may start a delivery now. Other limits may still prevent it. */
  mayBegin(now: number): boolean {
    return !this.claiming && this.inFlight < this.window && this.notBefore <= now;
  }

  /** True if the lane can be evicted: it has no state that the next claim needs. */
  isIdle(now: number): boolean {
    return !this.claiming && this.inFlight === 0 && this.notBefore <= now;
  }

  /** @returns the delay before the next attempt, in milliseconds */
  note(speed: ResponseSpeed): number {
    this.window = windowAfter(this, speed);
    this.lastSpeed = speed;
    this.pauseMs =
      speed === 'none'
        ? Math.min(
            Math.max(PAUSE_AFTER_LOST_CONNECTION_MS, 2 * this.pauseMs),
            PAUSE_AFTER_LOST_CONNECTION_MAX_MS,
          )
        : 0;
    if (this.pauseMs > 0) this.notBefore = performance.now() + this.pauseMs;
    return this.pauseMs;
  }

  /**
   * Sets the destinations. A new destination is unproven. Otherwise a host name could be moved to an address
   * whose owner never agreed to receive events.
   */
  leadTo(destinations: readonly string[]): void {
    if (destinations.join() === this.destinations.join()) return;
    this.destinations = destinations;
    this.proven = false;
  }
}

/** The lanes and slots of one claim. */
export interface AllotmentResult {
  readonly allotments: readonly Allotment[];
  /** True if a lane waits for its destination, so that the caller must try again soon. */
  readonly isHeldUp: boolean;
}

/** A lane of the current claim. */
export interface ClaimedLane {
  readonly lane: OpenLane;
  readonly slots: number;
  readonly wakes: number;
}

/**
 * The lanes of a worker. Slots are allotted for each standing separately, so that healthy lanes never wait
 * for others.
 */
export class OpenLanes {
  private readonly lanes = new Map<string, OpenLane>();
  /** The lanes that may have due deliveries, those that have waited longest first. */
  private readonly due = new Set<OpenLane>();
  private readonly busy = new Set<OpenLane>();
  /** Sum over all lanes. */
  private inFlight = 0;

  constructor(
    private readonly loads: DestinationLoads,
    private readonly shared: number,
  ) {}

  find(endpointId: string): OpenLane | undefined {
    return this.lanes.get(endpointId);
  }

  wake({ endpointId, companyId }: EndpointRef): void {
    const lane = this.lanes.get(endpointId) ?? new OpenLane(endpointId, companyId);
    // Moves it to the end: the least recently used lane is evicted first.
    this.lanes.delete(endpointId);
    this.lanes.set(endpointId, lane);
    this.fallDue(lane);
  }

  fallDueOf(claims: readonly { readonly endpointId: string }[]): void {
    for (const { endpointId } of claims) {
      const lane = this.find(endpointId);
      if (lane) this.fallDue(lane);
    }
  }

  fallDue(lane: OpenLane): void {
    lane.wakes += 1;
    this.due.add(lane);
  }

  /** Marks these lanes as being claimed for. They get no further slots until the claim ends. */
  beginClaim(wanted: readonly WantedSlots[]): readonly ClaimedLane[] {
    const claimedLanes = wanted.flatMap(({ endpointId, slots }) => {
      const lane = this.lanes.get(endpointId);
      return lane ? [{ lane, slots, wakes: lane.wakes }] : [];
    });
    for (const { lane } of claimedLanes) lane.claiming = true;
    return claimedLanes;
  }

  noteClaim(claimedLanes: readonly ClaimedLane[], { claimed, cut }: Claims): void {
    const found = new Map<string, number>();
    for (const { endpointId } of claimed) found.set(endpointId, (found.get(endpointId) ?? 0) + 1);
    for (const { lane, slots, wakes } of claimedLanes) {
      lane.askAgain = cut.includes(lane.endpointId);
      // Moves the lane to the end, so that the next claim serves lanes that have waited longer.
      this.due.delete(lane);
      if (found.get(lane.endpointId) === slots || lane.wakes !== wakes) this.due.add(lane);
    }
  }

  endClaim(claimedLanes: readonly ClaimedLane[]): void {
    for (const { lane } of claimedLanes) lane.claiming = false;
    this.forgetIdle();
  }

  begin(lane: OpenLane): void {
    lane.inFlight += 1;
    this.inFlight += 1;
    this.busy.add(lane);
  }

  end(lane: OpenLane): void {
    lane.inFlight -= 1;
    this.inFlight -= 1;
    if (lane.inFlight === 0) this.busy.delete(lane);
    if (lane.askAgain) this.due.add(lane);
  }

  /** Allots slots to the lanes of one standing. */
  allot(standing: Standing): AllotmentResult {
    if (this.inFlight >= IN_FLIGHT_MAX[standing]) return { allotments: [], isHeldUp: false };
    const now = performance.now();
    const ready = [...this.due].filter((lane) => lane.mayBegin(now));
    const ours = ready.filter((lane) => lane.standing === standing);
    if (ours.length === 0) return { allotments: [], isHeldUp: false };
    // All lanes to a destination share its limit, whatever their standing.
    const admitted = this.admitted(ours, this.loads.share(ready, now));
    const inOrder = ownFirst(standing === 'well' ? admitted : inTurn(admitted));
    const chosen = inOrder.slice(0, LANES_CLAIMED_MAX[standing]);
    const allotments = shareSlots(chosen, [...this.busy], this.shared);
    return { allotments, isHeldUp: admitted.length < ours.length };
  }

  /** Returns the endpoints that may have due deliveries, and those in `endpointIds`. */
  dueOrAmong(endpointIds: ReadonlySet<string>): OpenLane[] {
    return [...this.lanes.values()].filter((lane) => this.due.has(lane) || endpointIds.has(lane.endpointId));
  }

  private forgetIdle(): void {
    if (this.lanes.size <= IDLE_LANES_MAX) return;
    const now = performance.now();
    for (const [endpointId, lane] of this.lanes) {
      if (this.lanes.size <= IDLE_LANES_MAX) return;
      if (!this.due.has(lane) && lane.isIdle(now)) this.lanes.delete(endpointId);
    }
  }

  /** Leaves out lanes whose destination is at its limit, and reduces the slots of those with little room. */
  private admitted(ready: readonly OpenLane[], shares: ReadonlyMap<OpenLane, number>): LaneToDestination[] {
    return ready.flatMap((lane): LaneToDestination[] => {
      const share = shares.get(lane);
      if (share === undefined) return [lane];
      const { endpointId, companyId, destinations, proven, inFlight, slow } = lane;
      const window = Math.min(lane.window, inFlight + share);
      return share > 0 ? [{ endpointId, companyId, destinations, proven, inFlight, window, slow }] : [];
    });
  }
}

/**
 * Orders lanes round robin: the first lane of each company, then the second of each, and so on. Within a
 * company, the lanes that have waited longest come first.
 */
function inTurn(lanes: readonly LaneToDestination[]): LaneToDestination[] {
  const counts = new Map<number, number>();
  const ranked = lanes.map((lane) => {
    const rank = counts.get(lane.companyId) ?? 0;
    counts.set(lane.companyId, rank + 1);
    return { lane, rank };
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ lane }) => lane);
}

/** Puts lanes with free slots of their own first, because they must never wait for others. */
function ownFirst(lanes: readonly LaneToDestination[]): LaneToDestination[] {
  const first = lanes.filter(({ inFlight }) => inFlight < OWN_SLOTS);
  const others = lanes.filter(({ inFlight }) => inFlight >= OWN_SLOTS);
  return [...first, ...others];
}
