import { setTimeout as sleep } from 'node:timers/promises';
import { outsideRequests } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { ReadingRequests } from './ports/reading-requests';
import type { ReadingOutcome } from './ports/reading-outcome';

/** What is text is read within milliseconds; pages take seconds. */
const PAUSES_MS = { first: 5, longest: 100 } as const;
const GROWTH = 1.2;

/** Waits for the outcomes of requests: all of a process by one query at a time, however many wait. */
@Injectable()
export class AwaitedOutcomes {
  private readonly waiting = new Map<number, Set<(outcome: ReadingOutcome | null) => void>>();
  private pauseMs: number = PAUSES_MS.first;
  private looking = false;
  private stopped = false;

  constructor(private readonly requests: ReadingRequests) {}

  /** @returns null when there is none within `timeoutMs`, or the process stops, or the caller has gone */
  async of(requestId: number, timeoutMs: number, gone: AbortSignal): Promise<ReadingOutcome | null> {
    if (this.stopped || gone.aborted) return null;
    const settlers = this.waiting.get(requestId) ?? new Set();
    this.waiting.set(requestId, settlers);
    let timer: NodeJS.Timeout | undefined;
    let settle: ((outcome: ReadingOutcome | null) => void) | undefined;
    const outcome = new Promise<ReadingOutcome | null>((resolve) => {
      settle = resolve;
      settlers.add(resolve);
      gone.addEventListener('abort', () => resolve(null), { once: true });
      timer = setTimeout(() => resolve(null), timeoutMs);
    });
    this.pauseMs = PAUSES_MS.first;
    void outsideRequests(() => this.look());
    try {
      return await outcome;
    } finally {
      clearTimeout(timer);
      if (settle) settlers.delete(settle);
      if (settlers.size === 0) this.waiting.delete(requestId);
    }
  }

  /** NestJS calls it before it waits for the requests under way: whoever still waits is told to ask again. */
  beforeApplicationShutdown(): void {
    this.stopped = true;
    for (const settlers of this.waiting.values()) for (const settle of settlers) settle(null);
  }

  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    while (this.waiting.size > 0) {
      await sleep(this.pauseMs);
      this.pauseMs = Math.min(this.pauseMs * GROWTH, PAUSES_MS.longest);
      // While the database is away nobody is answered; who waits too long is told so.
      const finished = await this.requests.finishedAmong([...this.waiting.keys()]).catch(() => []);
      for (const { id, outcome } of finished) {
        for (const settle of this.waiting.get(id) ?? []) settle(outcome);
        this.waiting.delete(id);
      }
    }
    this.looking = false;
  }
}
