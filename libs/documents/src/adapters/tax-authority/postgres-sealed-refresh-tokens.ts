import { Config } from '@counterfoil/config';
import { Sql } from '@counterfoil/database';
import type { ResealedRow } from '@counterfoil/secrets';
import { Injectable } from '@nestjs/common';
import { type SealedRefreshToken, SealedRefreshTokens } from '../../application/ports/sealed-refresh-tokens';
import { RefreshTokenBox } from './refresh-token-box';
import { NEXT_SEALED, RESEAL } from './refresh-tokens.sql';

const HASH_LENGTH_NAMED = 8;

@Injectable()
export class PostgresSealedRefreshTokens extends SealedRefreshTokens {
  override readonly name = 'tokens of the tax authority';
  private readonly box: RefreshTokenBox;

  constructor(
    private readonly sql: Sql,
    config: Config,
  ) {
    super();
    this.box = new RefreshTokenBox(config.secretsKeys);
  }

  override after(last: SealedRefreshToken | null, limit: number): Promise<SealedRefreshToken[]> {
    return this.sql.rows(NEXT_SEALED, { lastHash: last?.configuredHash ?? Buffer.alloc(0), limit });
  }

  override reseal({ configuredHash, tokenSealed }: SealedRefreshToken): SealedRefreshToken | null {
    const resealed = this.box.reseal(tokenSealed);
    return resealed === null ? null : { configuredHash, tokenSealed: resealed };
  }

  override replace(changes: readonly ResealedRow<SealedRefreshToken>[]): Promise<number> {
    return this.sql.changed(RESEAL, { changes });
  }

  override describe({ configuredHash }: SealedRefreshToken): string {
    return `tax authority token ${configuredHash.toString('hex').slice(0, HASH_LENGTH_NAMED)}`;
  }
}
