import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable, type Sql } from '@counterfoil/database';
import { SecretBox } from '@counterfoil/secrets';
import { RefreshTokens } from './refresh-tokens';
import { FIND_SUCCESSOR, REPLACE } from './refresh-tokens.sql';

/** A successor that is not kept is a consent to be given again. Within the time that one ask may take. */
const KEEP_PATIENCE_MS = 15_000;
const KEEP_PAUSE_MS = 250;

/**
 * Keeps, sealed, the last successor of the configured token, for all workers. It is found by the configured token's
 * hash: a token that is configured anew, after a new consent, has no successor yet and is used itself.
 */
export class PostgresRefreshTokens extends RefreshTokens {
  private readonly box: SecretBox;

  constructor(
    private readonly sql: Sql,
    private readonly configured: string,
    secretsKey: string,
  ) {
    super();
    this.box = new SecretBox(secretsKey, 'tax-authority-refresh-tokens');
  }

  override async current(): Promise<string> {
    const kept = await this.sql.first(FIND_SUCCESSOR, { configuredHash: hashOf(this.configured) });
    return kept ? this.box.open(kept.sealed) : this.configured;
  }

  override async replace(previous: string, next: string): Promise<void> {
    const deadline = Date.now() + KEEP_PATIENCE_MS;
    for (;;) {
      try {
        return await this.replaceOnce(previous, next);
      } catch (error) {
        if (!isDatabaseUnavailable(error) || Date.now() > deadline) throw error;
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
