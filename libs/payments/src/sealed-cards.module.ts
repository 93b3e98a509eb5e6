import { Sql } from '@counterfoil/database';
import { Module } from '@nestjs/common';
import { PostgresSealedCards } from './adapters/postgres/postgres-sealed-cards';
import { CardTokens } from './application/card-tokens';
import { SealedCards } from './application/ports/sealed-cards';

/** A module of its own for the admin command, because it needs only the database. */
@Module({
  providers: [
    CardTokens,
    {
      provide: SealedCards,
      inject: [Sql, CardTokens],
      useFactory: (sql: Sql, tokens: CardTokens) => new PostgresSealedCards(sql, tokens),
    },
  ],
  exports: [SealedCards],
})
export class SealedCardsModule {}
