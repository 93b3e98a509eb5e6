import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable, type Sql } from '@counterfoil/database';
import type { SecretsKeys } from '@counterfoil/secrets';
import { RefreshTokens } from './refresh-tokens';
import { FIND_SUCCESSOR, REPLACE } from './refresh-tokens.sql';
import { RefreshTokenBox } from './refresh-token-box';

/**
 * How long storing a successor is retried, because a lost successor requires a new consent. It is within the
 * time limit of one request.
 */
const KEEP_PATIENCE_MS = 15_000;
const KEEP_PAUSE_MS = 250;

/**
 * Stores the last successor of the configured refresh token, encrypted, for all workers. It is found by the
 * hash of the configured token. After a new consent, the new token has no successor yet and is used itself.
 */
export class PostgresRefreshTokens extends RefreshTokens {
  private readonly box: RefreshTokenBox;

  constructor(
    private readonly sql: Sql,
    private readonly configured: string,
    secretsKeys: SecretsKeys,
  ) {
    super();
    this.box = new RefreshTokenBox(secretsKeys);
  }

  override async current(): Promise<string> {
    const kept = await this.sql.first(FIND_SUCCESSOR, { configuredHash: hashOf(this.configured) });
    return kept ? this.box.open(kept.sealed) : this.configured;
  }

  override async replace(previous: string, next: string): Promise<void> {
    const deadline = performance.now() + KEEP_PATIENCE_MS;
    for (;;) {
      try {
        return await this.replaceOnce(previous, next);
      } catch (error) {
        if (!isDatabaseUnavailable(error) || performance.now() > deadline) throw error;
        await sleep(KEEP_PAUSE_MS);
      }
    }
  }

  private async replaceOnce(previous: string, next: string): Promise<void> {
    await this.sql.rows(REPLACE, {
      configuredHash: hashOf(this.configured),
      previousHash: hashOf(previous),
      hash: hashOf(next),
      sealed: this.box.seal(next),
    });
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
