import { setTimeout as sleep } from 'node:timers/promises';
import { Config } from '@counterfoil/config';
import { Clock } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { DestinationLoads } from '../domain/destination';
import type { Visit } from '../domain/destination-load';
import type { EndpointRef } from '../domain/endpoint';
import { type Answer, type Dealt, PROMPT_MS } from '../domain/lane';
import { AttemptDelivery } from './attempt-delivery';
import { AttemptRecorder } from './attempt-recorder';
import { ClaimLoop } from './claim-loop';
import { DeliveryBudget } from './delivery-budget';
import { LaneJobs } from './lane-jobs';
import type { OpenLane, Standing } from './open-lane';
import { OpenLanes } from './open-lanes';
import { type ClaimedDelivery, DeliveryRepository, type MadeAttempt } from './ports/delivery.repository';

/** What a claim outlasts the longest attempt by. A worker that is gone for longer has lost its claim. */
const LEASE_MARGIN_MS = 5_000;
/** A claim that took longer leaves too little of the lease: connecting may take up to two seconds more than the attempt. */
const CLAIM_MAX_MS = 2_000;
const PAUSE_AFTER_OUR_FAULT_MS = 60_000;
/** For giving back and telling others, at the end. */
const GOODBYE_LIMIT_MS = 1_500;
/** Sockets that a worker has open at once, however many endpoints do not answer. */
const IN_FLIGHT_MAX = 5_000;
/** Between two claims. With the lanes of one claim it bounds what the handshakes of those in trouble cost. */
const CLAIM_PAUSES_MS = [
  ['well', 0],
  ['new', 20],
  ['troubled', 50],
] as const;

/** How long a destination at its bound is left alone, where nothing that is under way to it will end. */
const REFILL_PAUSE_MS = 50;

/**
 * Sends what is due: a lane for each endpoint, with places of its own, so that one that hangs costs others nothing.
 * What waits is in PostgreSQL and holds no place; a lane claims only what it can begin to send at once. One claim at a
 * time serves many lanes, and takes up whatever has become due or free since the one before. Lanes in trouble and
 * new ones are claimed for apart from the others; those in trouble, however many, a few at a time.
 */
@Injectable()
export class DeliveryLanes {
  private readonly loads: DestinationLoads;
  private readonly lanes: OpenLanes;
  private readonly underWay = new Map<ClaimedDelivery, Promise<void>>();
  /** By delivery: those being attempted or recorded. One that is given back or put off is in hand no longer. */
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
    private readonly jobs: LaneJobs,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.loads = new DestinationLoads(() => deliveries.workers());
    this.lanes = new OpenLanes(this.loads, config.workerConcurrency);
    this.loops = CLAIM_PAUSES_MS.map(([standing, pauseMs]) => this.loopFor(standing, pauseMs));
  }

  /** Something may be due to these endpoints: looks now, and does not wait for it. */
  wake(endpoints: readonly EndpointRef[]): void {
    for (const endpoint of endpoints) this.lanes.wake(endpoint);
    if (this.stopped) void this.jobs.wake(endpoints);
    else this.claim();
  }

  /** Resolves when nothing is under way any more, and nothing that is due could be begun. */
  async settled(): Promise<void> {
    const ends = () => [...this.loops.flatMap(({ end }) => end ?? []), ...this.underWay.values()];
    for (let open = ends(); open.length > 0; open = ends()) await Promise.race(open);
  }

  /**
   * Begins nothing more, and waits for what is under way. What takes longer than the limit is given back, and what is
   * still due is left to other workers, who are told of it.
   */
  async stop(limitMs: number): Promise<void> {
    this.stopped = true;
    for (const loop of this.loops) loop.stop();
    clearTimeout(this.refill);
    await Promise.race([this.settled(), sleep(limitMs, undefined, { ref: false })]);
    const goodbye = Promise.all([this.leaveToOthers(), this.jobs.addGathered()]);
    await Promise.race([goodbye, sleep(GOODBYE_LIMIT_MS, undefined, { ref: false })]);
  }

  private async leaveToOthers(): Promise<void> {
    const left = [...this.underWay.keys()];
    await this.deliveries
      .giveBack(left, this.clock.now())
      .catch((error: unknown) => this.log.warn({ error }, 'claims could not be given back; they run out'));
    const endpoints = new Set(left.map(({ endpointId }) => endpointId));
    await this.jobs.wake(this.lanes.dueOrAmong(endpoints));
  }

  private claim(): void {
    for (const loop of this.loops) loop.run();
  }

  private loopFor(standing: Standing, pauseMs: number): ClaimLoop {
    const failed = (error: unknown) => this.log.warn({ error }, 'deliveries could not be claimed');
    const steps = {
      deal: () => this.deal(standing),
      claim: (dealt: readonly Dealt[]) => this.claimFor(dealt),
      failed,
    };
    return new ClaimLoop(steps, pauseMs);
  }

  private deal(standing: Standing): readonly Dealt[] {
    if (this.underWay.size >= IN_FLIGHT_MAX) return [];
    const { dealt, isHeldUp } = this.lanes.deal(standing);
    if (isHeldUp) this.lookAfterRefill();
    return dealt;
  }

  private lookAfterRefill(): void {
    if (this.stopped) return;
    this.refill ??= setTimeout(() => {
      this.refill = undefined;
      this.claim();
    }, REFILL_PAUSE_MS).unref();
  }

  private async claimFor(dealt: readonly Dealt[]): Promise<void> {
    const wanted = dealt.map(({ lane, places }) => ({ endpointId: lane.endpointId, places }));
    const asked = this.lanes.beginClaim(wanted);
    const askedAt = performance.now();
    try {
      const leaseMs = this.config.webhookTimeoutMs + LEASE_MARGIN_MS;
      const claims = await this.deliveries.claim(wanted, this.clock.now(), leaseMs);
      this.lanes.noteClaim(asked, claims);
      const toBeSent = await this.toBeSent(claims.claimed, askedAt);
      for (const claim of await this.budget.charge(toBeSent)) {
        const lane = this.lanes.find(claim.endpointId);
        if (lane) this.underWay.set(claim, this.deliver(lane, claim));
      }
    } finally {
      this.lanes.endClaim(asked);
      // A lane may have changed its standing meanwhile.
      this.claim();
    }
  }

  /**
   * Leaves out what this worker has in hand already: its lease ran out while the database was away, and what came of it
   * is recorded under the new lease. And all of it where the claim took so long that an attempt might outlast it.
   */
  private async toBeSent(
    claimed: readonly ClaimedDelivery[],
    askedAt: number,
  ): Promise<readonly ClaimedDelivery[]> {
    const fresh = claimed.filter(({ id, attempts, leaseToken }) => {
      const known = this.inHand.get(id);
      // With another count of attempts, its outcome is recorded and this is its retry.
      if (known?.attempts !== attempts) return true;
      known.leaseToken = leaseToken;
      return false;
    });
    if (performance.now() - askedAt < CLAIM_MAX_MS) return fresh;
    await this.deliveries.giveBack(fresh, this.clock.now());
    for (const { endpointId } of fresh) {
      const lane = this.lanes.find(endpointId);
      if (lane) this.lanes.fallDue(lane);
    }
    return [];
  }

  private async deliver(lane: OpenLane, claim: ClaimedDelivery): Promise<void> {
    this.lanes.begin(lane);
    this.inHand.set(claim.id, claim);
    try {
      const attempt = await this.attempt(lane, claim);
      if (!attempt) return await this.leaveDue(lane, claim);
      const pauseMs = lane.note(answerOf(attempt));
      if (pauseMs > 0) setTimeout(() => this.claim(), pauseMs + 1).unref();
      await this.recorder.record({ claim, attempt });
    } catch (error) {
      this.log.error({ deliveryId: claim.id, error }, 'a delivery failed by a fault of ours; it is put off');
      await this.putOff(claim);
    } finally {
      this.lanes.end(lane);
      this.letGo(claim);
      this.underWay.delete(claim);
      this.claim();
    }
  }

  /** Null where the destination is at its bound. */
  private async attempt(lane: OpenLane, claim: ClaimedDelivery): Promise<MadeAttempt | null> {
    let visit: Visit | undefined;
    let attempt: MadeAttempt | null = null;
    try {
      attempt = await this.attempts.execute(claim, (destinations) => {
        lane.leadTo(destinations);
        const asked = { destinations, companyId: claim.companyId, proven: lane.proven };
        const enters = this.loads.enter(asked, performance.now());
        if (enters) visit = asked;
        return enters;
      });
      return attempt;
    } finally {
      if (visit) this.leave(lane, visit, attempt);
    }
  }

  private leave(lane: OpenLane, visit: Visit, attempt: MadeAttempt | null): void {
    const acknowledged = attempt?.outcome.failure === null;
    const welcome = acknowledged && attempt.outcome.connectionKept === true;
    this.loads.leave(visit, welcome, performance.now());
    // An answer from where the lane led before says nothing of where it leads now. One more connection, to a receiver
    // that acknowledges on it, takes no proof back.
    if (visit.destinations.join() === lane.destinations.join())
      lane.proven = welcome || (lane.proven && acknowledged);
  }

  /** Before it is given back: else this worker's next claim would take it for one that is still being attempted. */
  private letGo(claim: ClaimedDelivery): void {
    if (this.inHand.get(claim.id) === claim) this.inHand.delete(claim.id);
  }

  /** Now that it is known where the lane leads, it is not claimed for until there is room. */
  private async leaveDue(lane: OpenLane, claim: ClaimedDelivery): Promise<void> {
    this.letGo(claim);
    await this.deliveries.giveBack([claim], this.clock.now());
    this.lanes.fallDue(lane);
    await this.budget.refund(claim);
  }

  /**
   * What fails on our side counts as no attempt. It waits, so that it neither hides others nor floods the log; where
   * even that cannot be written down, its lease ends.
   */
  private async putOff(claim: ClaimedDelivery): Promise<void> {
    this.letGo(claim);
    const until = new Date(this.clock.now().getTime() + PAUSE_AFTER_OUR_FAULT_MS);
    await this.deliveries
      .giveBack([claim], until)
      .then(() => this.budget.refund(claim))
      .catch((error: unknown) => this.log.warn({ deliveryId: claim.id, error }, 'it could not be put off'));
  }
}

function answerOf({ outcome, durationMs }: MadeAttempt): Answer {
  if (outcome.status === null || outcome.cutOff === true) return 'none';
  return durationMs > PROMPT_MS ? 'slow' : 'prompt';
}
