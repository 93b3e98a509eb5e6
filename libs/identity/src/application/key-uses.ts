import { setTimeout as sleep } from 'node:timers/promises';
import { Clock, outsideRequests } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { IdentityRepository, type StoredKey } from './ports/identity.repository';

/** `lastUsedAt` is exact to this, so that a busy key costs no write at each request. */
const PRECISION_MS = 60_000;
/** Between two writes of a process. Uses meanwhile are gathered, and written by one statement. */
const PAUSE_MS = 1_000;
/** Keys whose uses are gathered. Beyond it, uses are dropped; the next one is noted again. */
export const GATHERED_MAX = 10_000;

/** Notes when keys were last used, at most once a minute for each key, without making a request wait. */
@Injectable()
export class KeyUses {
  private gathered = new Map<number, Date>();
  private isWriting = false;

  constructor(
    private readonly identities: IdentityRepository,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  note({ apiKeyId, lastUsedAt }: Pick<StoredKey, 'apiKeyId' | 'lastUsedAt'>): void {
    const now = this.clock.now();
    if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < PRECISION_MS) return;
    if (this.gathered.size >= GATHERED_MAX && !this.gathered.has(apiKeyId)) return;
    this.gathered.set(apiKeyId, now);
    if (!this.isWriting) void outsideRequests(() => this.writeAll());
  }

  /** NestJS calls this before connections are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.write();
  }

  private async writeAll(): Promise<void> {
    this.isWriting = true;
    while (this.gathered.size > 0) {
      await this.write();
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
    this.isWriting = false;
  }

  private async write(): Promise<void> {
    const uses = [...this.gathered].map(([apiKeyId, at]) => ({ apiKeyId, at }));
    this.gathered = new Map();
    if (uses.length === 0) return;
    await this.identities.recordUses(uses).catch((error: unknown) => {
      this.log.warn({ error, keys: uses.length }, 'the last uses of keys could not be noted');
    });
  }
}
