import { setTimeout as sleep } from 'node:timers/promises';
import { Config } from '@counterfoil/config';
import { Clock } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import type { EndpointRef } from '../domain/endpoint';
import {
  type Answer,
  type Dealt,
  dealPlaces,
  type Lane,
  PLACES_OWN,
  PROMPT_MS,
  windowAfter,
} from '../domain/lane';
import { AttemptDelivery } from './attempt-delivery';
import { AttemptRecorder } from './attempt-recorder';
import { LaneJobs } from './lane-jobs';
import { type ClaimedDelivery, DeliveryRepository, type MadeAttempt } from './ports/delivery.repository';

/** What a claim outlasts the longest attempt by. A worker that is gone for longer has lost its claim. */
const LEASE_MARGIN_MS = 5_000;
const PAUSE_AFTER_OUR_FAULT_MS = 60_000;
const PAUSE_AFTER_FAILED_CLAIM_MS = 1_000;
/**
 * Each attempt that loses its connection costs a handshake, which is worth a dozen deliveries to others. An endpoint
 * that refuses, resets or floods gets what waits for it in its own time.
 */
const PAUSE_AFTER_LOST_CONNECTION_MS = 100;
/** It is doubled with each that follows, up to this. */
const PAUSE_AFTER_LOST_CONNECTION_MAX_MS = 400;
/** For giving back and telling others, at the end. */
const GOODBYE_LIMIT_MS = 1_500;
/** Lanes that one claim is for. It locks each of them, and what is due to one of the others must not wait for long. */
const LANES_CLAIMED_MAX = 200;
/** Sockets that a worker has open at once, however many endpoints do not answer. */
const IN_FLIGHT_MAX = 5_000;
/** Lanes that are remembered while nothing is due on them, for the window that they had. */
const IDLE_LANES_MAX = 1_000;

class OpenLane implements Lane {
  inFlight = 0;
  window = PLACES_OWN;
  slow = false;
  /** Something may be due. */
  due = false;
  /** On the monotonic clock: nothing is begun earlier. */
  notBefore = 0;
  pauseMs = 0;
  /** More is due than could be claimed: to be asked for again when something ends. */
  askAgain = false;
  /** Counts the calls, so that one that comes during a claim is not lost with the claim's answer. */
  wakes = 0;

  constructor(
    readonly endpointId: string,
    readonly companyId: number,
  ) {}
}

/**
 * Sends what is due: a lane for each endpoint, with places of its own, so that one that hangs costs others nothing.
 * What waits is in PostgreSQL and holds no place; a lane claims only what it can begin to send at once. One claim at a
 * time serves many lanes, and takes up whatever has become due or free since the one before.
 */
@Injectable()
export class DeliveryLanes {
  private readonly lanes = new Map<string, OpenLane>();
  private readonly underWay = new Map<ClaimedDelivery, Promise<void>>();
  private claiming = false;
  private claims: Promise<void> = Promise.resolve();
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly config: Config,
    private readonly deliveries: DeliveryRepository,
    private readonly attempts: AttemptDelivery,
    private readonly recorder: AttemptRecorder,
    private readonly jobs: LaneJobs,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Something may be due to these endpoints: looks now, and does not wait for it. */
  wake(endpoints: readonly EndpointRef[]): void {
    for (const { endpointId, companyId } of endpoints) {
      const lane = this.lanes.get(endpointId) ?? new OpenLane(endpointId, companyId);
      this.lanes.set(endpointId, lane);
      lane.due = true;
      lane.wakes += 1;
    }
    if (this.stopped) void this.jobs.wake(endpoints);
    else this.claim();
  }

  /** Resolves when nothing is under way any more, and nothing that is due could be begun. */
  async settled(): Promise<void> {
    while (this.claiming || this.underWay.size > 0)
      await Promise.race([...(this.claiming ? [this.claims] : []), ...this.underWay.values()]);
  }

  /**
   * Begins nothing more, and waits for what is under way. What takes longer than the limit is given back, and what is
   * still due is left to other workers, who are told of it.
   */
  async stop(limitMs: number): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await Promise.race([this.settled(), sleep(limitMs, undefined, { ref: false })]);
    await Promise.race([this.leaveToOthers(), sleep(GOODBYE_LIMIT_MS, undefined, { ref: false })]);
  }

  private async leaveToOthers(): Promise<void> {
    const left = [...this.underWay.keys()];
    await this.deliveries
      .giveBack(left, this.clock.now())
      .catch((error: unknown) => this.log.warn({ error }, 'claims could not be given back; they run out'));
    const endpoints = new Set(left.map(({ endpointId }) => endpointId));
    const lanes = [...this.lanes.values()];
    await this.jobs.wake(lanes.filter(({ due, endpointId }) => due || endpoints.has(endpointId)));
  }

  private claim(): void {
    if (this.claiming || this.stopped) return;
    this.claiming = true;
    this.claims = this.claimAll();
  }

  private async claimAll(): Promise<void> {
    try {
      for (let dealt = this.deal(); dealt.length > 0 && !this.stopped; dealt = this.deal()) {
        await this.claimFor(dealt);
      }
    } catch (error) {
      this.log.warn({ error }, 'deliveries could not be claimed');
      this.retry = setTimeout(() => this.claim(), PAUSE_AFTER_FAILED_CLAIM_MS).unref();
    } finally {
      // In the same turn as the last deal: what becomes due after it claims for itself.
      this.claiming = false;
    }
  }

  private deal(): Dealt[] {
    if (this.underWay.size >= IN_FLIGHT_MAX) return [];
    const lanes = [...this.lanes.values()];
    const busy = lanes.filter(({ inFlight }) => inFlight > 0);
    const now = performance.now();
    const wanting = lanes.filter(
      ({ due, inFlight, window, notBefore }) => due && inFlight < window && notBefore <= now,
    );
    // Places of their own go first, which nobody may wait for.
    const first = wanting.filter(({ inFlight }) => inFlight < PLACES_OWN);
    const others = wanting.filter(({ inFlight }) => inFlight >= PLACES_OWN);
    const chosen = [...first, ...others].slice(0, LANES_CLAIMED_MAX);
    return dealPlaces(chosen, busy, this.config.workerConcurrency);
  }

  private async claimFor(dealt: readonly Dealt[]): Promise<void> {
    const wanted = dealt.map(({ lane, places }) => ({ endpointId: lane.endpointId, places }));
    const wakesBefore = wanted.map(({ endpointId }) => this.lanes.get(endpointId)?.wakes);
    const leaseMs = this.config.webhookTimeoutMs + LEASE_MARGIN_MS;
    const { claimed, cut } = await this.deliveries.claim(wanted, this.clock.now(), leaseMs);
    const found = new Map<string, number>();
    for (const { endpointId } of claimed) found.set(endpointId, (found.get(endpointId) ?? 0) + 1);
    for (const [index, { endpointId, places }] of wanted.entries()) {
      const lane = this.lanes.get(endpointId);
      if (!lane) continue;
      lane.due = found.get(endpointId) === places || lane.wakes !== wakesBefore[index];
      lane.askAgain = cut.includes(endpointId);
      // To the end, so that the next claim is for lanes which have waited longer.
      this.lanes.delete(endpointId);
      this.lanes.set(endpointId, lane);
    }
    for (const claim of claimed) {
      const lane = this.lanes.get(claim.endpointId);
      if (lane) this.underWay.set(claim, this.deliver(lane, claim));
    }
    this.forgetIdleLanes();
  }

  private async deliver(lane: OpenLane, claim: ClaimedDelivery): Promise<void> {
    lane.inFlight += 1;
    try {
      const attempt = await this.attempts.execute(claim);
      const answer = answerOf(attempt);
      lane.window = windowAfter(lane, answer);
      lane.slow = answer === 'slow';
      if (answer === 'none') this.pause(lane);
      else lane.pauseMs = 0;
      await this.recorder.record({ claim, attempt });
    } catch (error) {
      this.log.error({ deliveryId: claim.id, error }, 'a delivery failed by a fault of ours; it is put off');
      await this.putOff(claim);
    } finally {
      lane.inFlight -= 1;
      this.underWay.delete(claim);
      lane.due ||= lane.askAgain;
      this.claim();
    }
  }

  private pause(lane: OpenLane): void {
    lane.pauseMs = Math.min(
      Math.max(PAUSE_AFTER_LOST_CONNECTION_MS, 2 * lane.pauseMs),
      PAUSE_AFTER_LOST_CONNECTION_MAX_MS,
    );
    lane.notBefore = performance.now() + lane.pauseMs;
    setTimeout(() => this.claim(), lane.pauseMs + 1).unref();
  }

  /**
   * What fails on our side counts as no attempt. It waits, so that it neither hides others nor floods the log; where
   * even that cannot be written down, its lease ends.
   */
  private async putOff(claim: ClaimedDelivery): Promise<void> {
    const until = new Date(this.clock.now().getTime() + PAUSE_AFTER_OUR_FAULT_MS);
    await this.deliveries
      .giveBack([claim], until)
      .catch((error: unknown) => this.log.warn({ deliveryId: claim.id, error }, 'it could not be put off'));
  }

  private forgetIdleLanes(): void {
    const now = performance.now();
    for (const [endpointId, { due, inFlight, window, notBefore }] of this.lanes) {
      if (due || inFlight > 0 || notBefore > now) continue;
      if (window === PLACES_OWN || this.lanes.size > IDLE_LANES_MAX) this.lanes.delete(endpointId);
    }
  }
}

function answerOf({ outcome, durationMs }: MadeAttempt): Answer {
  if (outcome.status === null || outcome.cutOff === true) return 'none';
  return durationMs > PROMPT_MS ? 'slow' : 'prompt';
}
