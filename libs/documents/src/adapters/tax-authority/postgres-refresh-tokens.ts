import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable, type Sql } from '@counterfoil/database';
import { SecretBox } from '@counterfoil/secrets';
import { RefreshTokens } from './refresh-tokens';

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
    const [kept] = await this.sql.rows<{ sealed: string }>(
      'select token_sealed as sealed from tax_authority_tokens where configured_hash = $1',
      [hashOf(this.configured)],
    );
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

  /** One sealed text never equals another, so the one to be replaced is told by its hash. */
  private async replaceOnce(previous: string, next: string): Promise<void> {
    await this.sql.rows(
      `insert into tax_authority_tokens as kept (configured_hash, token_hash, token_sealed)
       values ($1, $2, $3)
       on conflict (configured_hash) do update
          set token_hash = excluded.token_hash, token_sealed = excluded.token_sealed
        where kept.token_hash = $4`,
      [hashOf(this.configured), hashOf(next), this.box.seal(next), hashOf(previous)],
    );
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
