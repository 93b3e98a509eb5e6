import { setTimeout as sleep } from 'node:timers/promises';
import { Config } from '@counterfoil/config';
import { Clock, outsideTraces } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { DestinationLoads } from '../domain/destination';
import type { Visit } from '../domain/destination-load';
import type { EndpointRef } from '../domain/endpoint';
import { type Allotment, PROMPT_MS, type ResponseSpeed } from '../domain/lane';
import { AttemptDelivery, Unconfirmed } from './attempt-delivery';
import { AttemptRecorder } from './attempt-recorder';
import { ClaimLoop, ClaimTime } from './claim-loop';
import { DeliveryBudget } from './delivery-budget';
import { DeliveryWakeups } from './delivery-wakeups';
import { type OpenLane, OpenLanes, type Standing } from './open-lanes';
import { type ClaimedDelivery, DeliveryRepository, type MadeAttempt } from './ports/delivery.repository';

/**
 * The margin of a lease beyond the claim and the longest attempt. Connecting may take up to two seconds in
 * addition, and a question to the database half a second. A worker that is disconnected for longer loses its claim.
 */
const LEASE_MARGIN_MS = 3_500;
const PAUSE_AFTER_OUR_FAULT_MS = 60_000;
/** Time limit for giving back claims and waking others at shutdown. */
const GOODBYE_LIMIT_MS = 1_500;
/**
 * Delays between two claims. Together with the number of lanes per claim, they limit the cost of TLS
 * handshakes with endpoints in trouble.
 */
const CLAIM_PAUSES_MS = [
  ['well', 0],
  ['new', 20],
  ['troubled', 50],
] as const;

/** Delay before lanes that wait for a destination at its limit are tried again. */
const REFILL_PAUSE_MS = 50;

/**
 * Sends due deliveries. Each endpoint has a lane with its own slots, so an endpoint that hangs does not delay
 * others. Waiting deliveries are in PostgreSQL and hold no slot; a lane claims only deliveries that it can
 * send at once. One claim at a time serves many lanes, and takes everything that has become due or free since
 * the previous claim. Lanes in trouble and new lanes are claimed for separately, lanes in trouble only a few
 * at a time.
 */
@Injectable()
export class EndpointDispatcher {
  private readonly loads: DestinationLoads;
  private readonly lanes: OpenLanes;
  private readonly underWay = new Map<ClaimedDelivery, Promise<void>>();
  /** The deliveries being attempted or recorded, by id, without those that are given back or postponed. */
  private readonly inHand = new Map<number, ClaimedDelivery>();
  private readonly loops: readonly ClaimLoop[];
  private refill: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly config: Config,
    private readonly deliveries: DeliveryRepository,
    private readonly attempts: AttemptDelivery,
    private readonly recorder: AttemptRecorder,
    private readonly budget: DeliveryBudget,
    private readonly wakeups: DeliveryWakeups,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.loads = new DestinationLoads(() => deliveries.workers());
    this.lanes = new OpenLanes(this.loads, config.workerConcurrency);
    this.loops = CLAIM_PAUSES_MS.map(([standing, pauseMs]) => this.loopFor(standing, pauseMs));
  }

  /** Marks these endpoints as possibly due, and starts a claim without waiting for it. */
  wake(endpoints: readonly EndpointRef[]): void {
    for (const endpoint of endpoints) this.lanes.wake(endpoint);
    if (this.stopped) void this.wakeups.wake(endpoints);
    else this.claim();
  }

  /** True while deliveries cannot be claimed, for example because the database is unavailable. */
  get claimsFail(): boolean {
    return this.loops.some(({ fails }) => fails);
  }

  /** Resolves when no attempt is in progress and no due delivery could be started. */
  async settled(): Promise<void> {
    const ends = () => [...this.loops.flatMap(({ end }) => end ?? []), ...this.underWay.values()];
    for (let open = ends(); open.length > 0; open = ends()) await Promise.race(open);
  }

  /**
   * Starts no further attempts, and waits for those in progress. Attempts that exceed the limit are given
   * back, and other workers are woken for everything that is still due.
   */
  async stop(limitMs: number): Promise<void> {
    this.stopped = true;
    for (const loop of this.loops) loop.stop();
    clearTimeout(this.refill);
    await Promise.race([this.settled(), sleep(limitMs, undefined, { ref: false })]);
    const goodbye = Promise.all([this.leaveToOthers(), this.wakeups.addGathered()]);
    await Promise.race([goodbye, sleep(GOODBYE_LIMIT_MS, undefined, { ref: false })]);
  }

  private async leaveToOthers(): Promise<void> {
    const left = [...this.underWay.keys()];
    await this.deliveries
      .giveBack(left, this.clock.now())
      .catch((error: unknown) =>
        this.log.warn({ error }, 'claims could not be given back; their leases will expire'),
      );
    const endpoints = new Set(left.map(({ endpointId }) => endpointId));
    await this.wakeups.wake(this.lanes.dueOrAmong(endpoints));
  }

  private claim(): void {
    // A claim serves all lanes, and each attempt continues the trace of its event.
    outsideTraces(() => this.loops.forEach((loop) => loop.run()));
  }

  private loopFor(standing: Standing, pauseMs: number): ClaimLoop {
    const time = new ClaimTime();
    const failed = (error: unknown) => this.log.warn({ error }, 'deliveries could not be claimed');
    const steps = {
      allot: () => this.allot(standing),
      claim: (allotments: readonly Allotment[]) => this.claimFor(allotments, time),
      failed,
    };
    return new ClaimLoop(steps, pauseMs);
  }

  private allot(standing: Standing): readonly Allotment[] {
    const { allotments, isHeldUp } = this.lanes.allot(standing);
    if (isHeldUp) this.lookAfterRefill();
    return allotments;
  }

  private lookAfterRefill(): void {
    if (this.stopped) return;
    this.refill ??= setTimeout(() => {
      this.refill = undefined;
      this.claim();
    }, REFILL_PAUSE_MS).unref();
  }

  private async claimFor(allotments: readonly Allotment[], time: ClaimTime): Promise<void> {
    const wanted = allotments.map(({ lane, slots }) => ({ endpointId: lane.endpointId, slots }));
    const claimedLanes = this.lanes.beginClaim(wanted);
    const startedAt = performance.now();
    const { allowedMs } = time;
    try {
      const leaseMs = allowedMs + this.config.webhookTimeoutMs + LEASE_MARGIN_MS;
      const claims = await this.deliveries.claim(wanted, this.clock.now(), leaseMs);
      this.lanes.noteClaim(claimedLanes, claims);
      const charged = await this.charge(this.freshOf(claims.claimed));
      const tookMs = performance.now() - startedAt;
      if (time.note(tookMs))
        this.log.warn(
          { tookMs: Math.round(tookMs), lanes: allotments.length },
          'claiming deliveries is slow',
        );
      if (tookMs > allowedMs) return await this.claimAgain(charged);
      for (const claim of charged) {
        const lane = this.lanes.find(claim.endpointId);
        if (lane) this.underWay.set(claim, this.deliver(lane, claim, startedAt));
      }
    } finally {
      this.lanes.endClaim(claimedLanes);
      // The standing of a lane may have changed during the claim.
      this.claim();
    }
  }

  /**
   * Leaves out deliveries that this worker is still attempting or recording. Their leases expired while the
   * database was unavailable, and their outcomes are recorded under the new lease.
   */
  private freshOf(claimed: readonly ClaimedDelivery[]): readonly ClaimedDelivery[] {
    return claimed.filter(({ id, attempts, leaseToken }) => {
      const known = this.inHand.get(id);
      // A different attempt count means that the outcome has been recorded, and this is the retry.
      if (known?.attempts !== attempts) return true;
      known.leaseToken = leaseToken;
      return false;
    });
  }

  /**
   * Gives back claims if an attempt might outlast its lease because the claim took too long. The next lease
   * is longer.
   */
  private async claimAgain(claims: readonly ClaimedDelivery[]): Promise<void> {
    await this.budget.refund(claims).finally(() => this.giveBack(claims));
  }

  /** Gives back claims that cannot be charged, because they would wait until their leases expire. */
  private charge(claims: readonly ClaimedDelivery[]): Promise<readonly ClaimedDelivery[]> {
    return this.budget.charge(claims).catch(async (error: unknown) => {
      await this.giveBack(claims);
      throw error;
    });
  }

  private giveBack(claims: readonly ClaimedDelivery[]): Promise<void> {
    return this.deliveries.giveBack(claims, this.clock.now()).finally(() => this.lanes.fallDueOf(claims));
  }

  private async deliver(lane: OpenLane, claim: ClaimedDelivery, claimedAt: number): Promise<void> {
    this.lanes.begin(lane);
    this.inHand.set(claim.id, claim);
    try {
      const attempt = await this.attempt(lane, claim, claimedAt);
      if (!attempt) return await this.leaveDue(lane, claim);
      const pauseMs = lane.note(speedOf(attempt));
      if (pauseMs > 0) setTimeout(() => this.claim(), pauseMs + 1).unref();
      await this.recorder.record({ claim, attempt });
    } catch (error) {
      if (error instanceof Unconfirmed) return await this.putOff(claim, error.pauseMs);
      this.log.error(
        { deliveryId: claim.id, error },
        'a delivery failed because of an internal error; it is postponed',
      );
      await this.putOff(claim, PAUSE_AFTER_OUR_FAULT_MS);
    } finally {
      this.lanes.end(lane);
      this.letGo(claim);
      this.underWay.delete(claim);
      this.claim();
    }
  }

  /** Returns null if the destination is at its limit, or the endpoint is not active any more. */
  private async attempt(
    lane: OpenLane,
    claim: ClaimedDelivery,
    claimedAt: number,
  ): Promise<MadeAttempt | null> {
    let visit: Visit | undefined;
    let attempt: MadeAttempt | null = null;
    try {
      const admits = (destinations: readonly string[]) => {
        lane.leadTo(destinations);
        const entry = { destinations, companyId: claim.companyId, proven: lane.proven };
        const enters = this.loads.enter(entry, performance.now());
        if (enters) visit = entry;
        return enters;
      };
      attempt = await this.attempts.execute(claim, { admits, claimedAt });
      return attempt;
    } finally {
      if (visit) this.leave(lane, visit, attempt);
    }
  }

  private leave(lane: OpenLane, visit: Visit, attempt: MadeAttempt | null): void {
    // Nothing was sent, so there is nothing that the destination could have acknowledged.
    if (attempt === null) return this.loads.leave(visit, true, performance.now());
    const acknowledged = attempt.outcome.failure === null;
    const welcome = acknowledged && attempt.outcome.connectionKept === true;
    this.loads.leave(visit, welcome, performance.now());
    // A response from the previous destinations says nothing about the new ones. A lane that is proven stays
    // proven if it opens one more connection and the receiver acknowledges.
    if (visit.destinations.join() === lane.destinations.join())
      lane.proven = welcome || (lane.proven && acknowledged);
  }

  /** Call this before giving the delivery back: the next claim would treat it as still in progress. */
  private letGo(claim: ClaimedDelivery): void {
    if (this.inHand.get(claim.id) === claim) this.inHand.delete(claim.id);
  }

  /**
   * Gives the delivery back. Now that the destination of the lane is known, the lane is not claimed for until
   * the destination has room.
   */
  private async leaveDue(lane: OpenLane, claim: ClaimedDelivery): Promise<void> {
    this.letGo(claim);
    await this.deliveries.giveBack([claim], this.clock.now());
    this.lanes.fallDue(lane);
    await this.budget.refund([claim]);
  }

  /**
   * A fault of the service does not count as an attempt. The delivery is postponed, so that it neither delays
   * others nor floods the log. If that cannot be stored either, its lease expires.
   */
  private async putOff(claim: ClaimedDelivery, pauseMs: number): Promise<void> {
    this.letGo(claim);
    const until = new Date(this.clock.now().getTime() + pauseMs);
    await this.deliveries
      .giveBack([claim], until)
      .then(() => this.budget.refund([claim]))
      .catch((error: unknown) =>
        this.log.warn({ deliveryId: claim.id, error }, 'a delivery could not be postponed'),
      );
  }
}

function speedOf({ outcome, durationMs }: MadeAttempt): ResponseSpeed {
  if (outcome.status === null || outcome.cutOff === true) return 'none';
  return durationMs > PROMPT_MS ? 'slow' : 'prompt';
}
