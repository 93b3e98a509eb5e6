import { setTimeout as sleep } from 'node:timers/promises';
import { inTime, outsideRequests } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { failed, type ReadingOutcome } from './ports/reading-outcome';
import { type FinishedReading, ReadingRequests, type RequestedReading } from './ports/reading-requests';

/** A text is read within milliseconds. OCR takes seconds. */
const PAUSES_MS = { first: 5, longest: 100 } as const;
const GROWTH = 1.2;
/**
 * Callers do not wait longer for a database that does not answer. All calls end within 15 s of its last
 * answer.
 */
const SILENCE_MAX_MS = 12_000;
/** Several times within the duration of a wait. */
const WAITS_RENEWED_MS = 1_000;
const NO_DATABASE = failed('UNAVAILABLE', 'the database is not available; try again', 'once');

interface Waiting {
  readonly of: RequestedReading;
  readonly settle: (outcome: ReadingOutcome | null) => void;
}

/** Waits for the outcomes of requests. All waiting callers of a process share one query at a time. */
@Injectable()
export class OutcomePoller {
  private readonly waiting = new Map<number, Set<Waiting>>();
  private pauseMs: number = PAUSES_MS.first;
  private looking = false;
  /** Time of the last answer of the database. */
  private answeredAt = 0;
  private renewedAt = 0;
  private stopped = false;

  constructor(private readonly requests: ReadingRequests) {}

  /**
   * @returns null if there is no outcome within `timeoutMs`, the process stops, or the caller has
   * disconnected; a failure
   *   with `UNAVAILABLE` if the database is unavailable for too long
   */
  async poll(
    request: RequestedReading,
    timeoutMs: number,
    gone: AbortSignal,
  ): Promise<ReadingOutcome | null> {
    if (this.stopped || gone.aborted) return null;
    let timer: NodeJS.Timeout | undefined;
    let caller: Waiting | undefined;
    const outcome = new Promise<ReadingOutcome | null>((resolve) => {
      caller = { of: request, settle: resolve };
      this.enter(caller);
      gone.addEventListener('abort', () => resolve(null), { once: true });
      timer = setTimeout(() => resolve(null), timeoutMs);
    });
    this.pauseMs = PAUSES_MS.first;
    // The request has just been stored, so the database has answered now.
    this.answeredAt = performance.now();
    void outsideRequests(() => this.look());
    try {
      return await outcome;
    } finally {
      clearTimeout(timer);
      if (caller) this.leave(caller);
    }
  }

  /** NestJS calls this before it waits for open HTTP requests. Callers that still wait are told to retry. */
  beforeApplicationShutdown(): void {
    this.stopped = true;
    this.settleAll(null);
  }

  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    this.renewedAt = performance.now();
    while (this.waiting.size > 0) {
      await sleep(this.pauseMs);
      this.pauseMs = Math.min(this.pauseMs * GROWTH, PAUSES_MS.longest);
      const finished = await this.finished().catch(() => []);
      for (const reading of finished) this.settle(reading);
      if (this.silenceLeftMs <= 0) this.settleAll(NO_DATABASE);
      // If it fails, the next one is in time, or the wait begins again when the database is back.
      await this.renewWaits().catch(() => undefined);
    }
    this.looking = false;
  }

  private async finished(): Promise<readonly FinishedReading[]> {
    const finished = this.requests.finishedAmong([...this.waiting.keys()]);
    await inTime(finished, this.silenceLeftMs);
    this.answeredAt = performance.now();
    return finished;
  }

  private async renewWaits(): Promise<void> {
    if (this.waiting.size === 0 || performance.now() - this.renewedAt < WAITS_RENEWED_MS) return;
    this.renewedAt = performance.now();
    await inTime(this.requests.renewWaits([...this.waiting.keys()]), this.silenceLeftMs);
  }

  private get silenceLeftMs(): number {
    return this.answeredAt + SILENCE_MAX_MS - performance.now();
  }

  private settle({ id, companyId, source, outcome }: FinishedReading): void {
    for (const caller of this.waiting.get(id) ?? []) {
      if (caller.of.companyId !== companyId || caller.of.source !== source) continue;
      caller.settle(outcome);
      this.leave(caller);
    }
  }

  private settleAll(outcome: ReadingOutcome | null): void {
    for (const callers of this.waiting.values()) for (const { settle } of callers) settle(outcome);
    this.waiting.clear();
  }

  private enter(caller: Waiting): void {
    const callers = this.waiting.get(caller.of.id) ?? new Set();
    this.waiting.set(caller.of.id, callers.add(caller));
  }

  private leave(caller: Waiting): void {
    const callers = this.waiting.get(caller.of.id);
    callers?.delete(caller);
    if (callers?.size === 0) this.waiting.delete(caller.of.id);
  }
}
