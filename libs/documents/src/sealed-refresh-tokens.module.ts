import { Module } from '@nestjs/common';
import { PostgresSealedRefreshTokens } from './adapters/tax-authority/postgres-sealed-refresh-tokens';
import { SealedRefreshTokens } from './application/ports/sealed-refresh-tokens';

/** A module of its own for the admin command, because it needs only the database. */
@Module({
  providers: [{ provide: SealedRefreshTokens, useClass: PostgresSealedRefreshTokens }],
  exports: [SealedRefreshTokens],
})
export class SealedRefreshTokensModule {}
