import { setTimeout as sleep } from 'node:timers/promises';
import { outsideRequests } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { type FinishedReading, ReadingRequests, type RequestedReading } from './ports/reading-requests';
import type { ReadingOutcome } from './ports/reading-outcome';

/** What is text is read within milliseconds; pages take seconds. */
const PAUSES_MS = { first: 5, longest: 100 } as const;
const GROWTH = 1.2;

interface Waiting {
  readonly of: RequestedReading;
  readonly settle: (outcome: ReadingOutcome | null) => void;
}

/** Waits for the outcomes of requests: all of a process by one query at a time, however many wait. */
@Injectable()
export class AwaitedOutcomes {
  private readonly waiting = new Map<number, Set<Waiting>>();
  private pauseMs: number = PAUSES_MS.first;
  private looking = false;
  private stopped = false;

  constructor(private readonly requests: ReadingRequests) {}

  /** @returns null when there is none within `timeoutMs`, or the process stops, or the caller has gone */
  async of(request: RequestedReading, timeoutMs: number, gone: AbortSignal): Promise<ReadingOutcome | null> {
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
    void outsideRequests(() => this.look());
    try {
      return await outcome;
    } finally {
      clearTimeout(timer);
      if (caller) this.leave(caller);
    }
  }

  /** NestJS calls it before it waits for the requests under way: whoever still waits is told to ask again. */
  beforeApplicationShutdown(): void {
    this.stopped = true;
    for (const callers of this.waiting.values()) for (const { settle } of callers) settle(null);
  }

  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    while (this.waiting.size > 0) {
      await sleep(this.pauseMs);
      this.pauseMs = Math.min(this.pauseMs * GROWTH, PAUSES_MS.longest);
      // While the database is away nobody is answered; who waits too long is told so.
      const finished = await this.requests.finishedAmong([...this.waiting.keys()]).catch(() => []);
      for (const reading of finished) this.settle(reading);
    }
    this.looking = false;
  }

  private settle({ id, companyId, source, outcome }: FinishedReading): void {
    for (const caller of this.waiting.get(id) ?? []) {
      if (caller.of.companyId !== companyId || caller.of.source !== source) continue;
      caller.settle(outcome);
      this.leave(caller);
    }
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
