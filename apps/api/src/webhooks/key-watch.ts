import { setTimeout as sleep } from 'node:timers/promises';
import { IdentityReader } from '@counterfoil/identity';
import { outsideRequests } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';

const LOOK_EVERY_MS = 2_000;

/** Ends long answers within seconds after their key was revoked. One statement looks up the keys of all of them. */
@Injectable()
export class KeyWatch {
  /** By the function that ends the answer. */
  private readonly watched = new Map<() => void, number>();
  private isLooking = false;

  constructor(
    private readonly identities: IdentityReader,
    private readonly log: Log,
  ) {}

  /**
   * @param end called once, when the key is revoked
   * @returns a function that ends the watch
   */
  watch(apiKeyId: number, end: () => void): () => void {
    this.watched.set(end, apiKeyId);
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
    const inUse = await this.identities.keysInUse([...new Set(watched.map(([, apiKeyId]) => apiKeyId))]);
    for (const [end, apiKeyId] of watched) {
      if (inUse.has(apiKeyId) || !this.watched.delete(end)) continue;
      end();
    }
  }
}
