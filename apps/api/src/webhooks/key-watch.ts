import { setTimeout as sleep } from 'node:timers/promises';
import { IdentityReader, SessionRepository } from '@counterfoil/identity';
import { type Caller, outsideRequests } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';

const LOOK_EVERY_MS = 2_000;

/** Ends long answers within seconds after their key or session has ended. One statement looks up those of all of them. */
@Injectable()
export class KeyWatch {
  /** By the function that ends the answer. */
  private readonly watched = new Map<() => void, Caller>();
  private isLooking = false;

  constructor(
    private readonly identities: IdentityReader,
    private readonly sessions: SessionRepository,
    private readonly log: Log,
  ) {}

  /**
   * @param end called once, when the key or the session has ended
   * @returns a function that ends the watch
   */
  watch(caller: Caller, end: () => void): () => void {
    this.watched.set(end, caller);
    void outsideRequests(() => this.lookWhileWatched());
    return () => this.watched.delete(end);
  }

  private async lookWhileWatched(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    while (this.watched.size > 0) {
      await sleep(LOOK_EVERY_MS, undefined, { ref: false });
      await this.look().catch((error: unknown) => {
        this.log.warn({ error }, 'the keys of open streams could not be looked up');
      });
    }
    this.isLooking = false;
  }

  private async look(): Promise<void> {
    const watched = [...this.watched];
    const callers = watched.map(([, caller]) => caller);
    const sessionIds = callers.flatMap(({ sessionId }) => (sessionId === undefined ? [] : [sessionId]));
    const [keys, sessions] = await Promise.all([
      this.identities.keysInUse([...new Set(callers.map(({ apiKeyId }) => apiKeyId))]),
      sessionIds.length === 0 ? new Set<number>() : this.sessions.inUse([...new Set(sessionIds)]),
    ]);
    for (const [end, { apiKeyId, sessionId }] of watched) {
      const isInUse = keys.has(apiKeyId) && (sessionId === undefined || sessions.has(sessionId));
      if (isInUse || !this.watched.delete(end)) continue;
      end();
    }
  }
}
