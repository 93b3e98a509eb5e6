import type { DestinationLoads, LaneToDestination } from '../domain/destination';
import type { EndpointRef } from '../domain/endpoint';
import { type Allocation, type Answer, OWN_SLOTS, shareSlots, windowAfter } from '../domain/lane';
import type { Claims, WantedSlots } from './ports/delivery.repository';

/**
 * Each attempt that loses its connection costs a handshake, which is worth a dozen deliveries to others. An endpoint
 * that refuses, resets or floods gets what waits for it in its own time.
 */
const PAUSE_AFTER_LOST_CONNECTION_MS = 100;
/** It is doubled with each that follows, up to this. */
const PAUSE_AFTER_LOST_CONNECTION_MAX_MS = 400;
/**
 * The maximum of lanes in one claim. It locks each of them, and deliveries to the others must not wait long. Lanes in
 * trouble are few: their attempts are likely to open connections, and many handshakes at once delay everything else.
 */
const LANES_CLAIMED_MAX: Readonly<Record<Standing, number>> = { well: 200, new: 20, troubled: 10 };
/**
 * The maximum of attempts that a worker has under way before it starts none for lanes of this standing. It bounds the
 * sockets, however many endpoints do not answer. The rest is reserved, so that lanes in trouble do not delay new
 * ones, nor new ones healthy ones.
 */
const IN_FLIGHT_MAX: Readonly<Record<Standing, number>> = { well: 5_000, new: 4_000, troubled: 3_000 };
/** Lanes that are remembered while nothing is due on them, for how their last attempt went. */
const IDLE_LANES_MAX = 10_000;

/**
 * How an endpoint has answered so far. `new`: not at all yet. `troubled`: its attempts hold their slots for long, or lose
 * their connections.
 */
export type Standing = 'well' | 'new' | 'troubled';

/** An endpoint that this worker serves. */
export class OpenLane implements LaneToDestination {
  destinations: readonly string[] = [];
  proven = false;
  inFlight = 0;
  window = OWN_SLOTS;
  /** How the last attempt went; null before the first. */
  lastAnswer: Answer | null = null;
  /** On the monotonic clock. No attempt starts earlier. */
  notBefore = 0;
  pauseMs = 0;
  /** More is due than could be claimed: to be asked for again when something ends. */
  askAgain = false;
  /** Is being claimed for. */
  claiming = false;
  /** The number of wakes, so that a wake during a claim is not lost with the claim's answer. */
  wakes = 0;

  constructor(
    readonly endpointId: string,
    readonly companyId: number,
  ) {}

  get slow(): boolean {
    return this.lastAnswer === 'slow';
  }

  get standing(): Standing {
    if (this.lastAnswer === null) return 'new';
    return this.lastAnswer === 'prompt' ? 'well' : 'troubled';
  }

  /** Whether something may begin now, as far as the lane itself is concerned. */
  mayBegin(now: number): boolean {
    return !this.claiming && this.inFlight < this.window && this.notBefore <= now;
  }

  /** Nothing is known of it that the next claim would need. */
  isIdle(now: number): boolean {
    return !this.claiming && this.inFlight === 0 && this.notBefore <= now;
  }

  /** @returns the pause before the next attempt, in milliseconds */
  note(answer: Answer): number {
    this.window = windowAfter(this, answer);
    this.lastAnswer = answer;
    this.pauseMs =
      answer === 'none'
        ? Math.min(
            Math.max(PAUSE_AFTER_LOST_CONNECTION_MS, 2 * this.pauseMs),
            PAUSE_AFTER_LOST_CONNECTION_MAX_MS,
          )
        : 0;
    if (this.pauseMs > 0) this.notBefore = performance.now() + this.pauseMs;
    return this.pauseMs;
  }

  /**
   * A new address has proven nothing. Otherwise a name could be moved to an address that never agreed to be called.
   */
  leadTo(destinations: readonly string[]): void {
    if (destinations.join() === this.destinations.join()) return;
    this.destinations = destinations;
    this.proven = false;
  }
}

/** The lanes and slots of one claim. */
export interface AllocationResult {
  readonly allocations: readonly Allocation[];
  /** Whether a lane has to wait for its destination, and is to be looked at again soon. */
  readonly isHeldUp: boolean;
}

/** A lane that a claim is for. */
export interface ClaimedLane {
  readonly lane: OpenLane;
  readonly slots: number;
  readonly wakes: number;
}

/** The lanes of a worker. Each standing gets its slots separately, so that healthy lanes never wait for others. */
export class OpenLanes {
  private readonly lanes = new Map<string, OpenLane>();
  /** The lanes that may have due deliveries, the one that has waited longest first. */
  private readonly due = new Set<OpenLane>();
  private readonly busy = new Set<OpenLane>();
  /** Of all lanes. */
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

  fallDue(lane: OpenLane): void {
    lane.wakes += 1;
    this.due.add(lane);
  }

  /** Allots no more slots to these lanes until the claim has ended. */
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
      // To the end, so that the next claim is for lanes which have waited longer.
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
  allocate(standing: Standing): AllocationResult {
    if (this.inFlight >= IN_FLIGHT_MAX[standing]) return { allocations: [], isHeldUp: false };
    const now = performance.now();
    const ready = [...this.due].filter((lane) => lane.mayBegin(now));
    const ours = ready.filter((lane) => lane.standing === standing);
    if (ours.length === 0) return { allocations: [], isHeldUp: false };
    // All lanes to a destination share its room, whatever their standing.
    const admitted = this.admitted(ours, this.loads.share(ready, now));
    const inOrder = ownFirst(standing === 'well' ? admitted : inTurn(admitted));
    const chosen = inOrder.slice(0, LANES_CLAIMED_MAX[standing]);
    const allocations = shareSlots(chosen, [...this.busy], this.shared);
    return { allocations, isHeldUp: admitted.length < ours.length };
  }

  /** Endpoints on which something may be due, or one of these. */
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

  /** Leaves out lanes whose destination is at its bound, and reduces those with less room. */
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
 * Round robin: the first lane of each company, then the second of each, and so on. Within a company, the one that has
 * waited longest comes first.
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

/** Lanes with own slots left come first: they must never wait for others. */
function ownFirst(lanes: readonly LaneToDestination[]): LaneToDestination[] {
  const first = lanes.filter(({ inFlight }) => inFlight < OWN_SLOTS);
  const others = lanes.filter(({ inFlight }) => inFlight >= OWN_SLOTS);
  return [...first, ...others];
}
