import { Sql } from '@counterfoil/database';
import { Module } from '@nestjs/common';
import { PostgresSealedEndpoints } from './adapters/postgres/postgres-sealed-endpoints';
import { SealedEndpoints } from './application/ports/sealed-endpoints';
import { SigningSecrets } from './application/signing-secrets';

/** A module of its own for the admin command, because it needs only the database. */
@Module({
  providers: [
    SigningSecrets,
    {
      provide: SealedEndpoints,
      inject: [Sql, SigningSecrets],
      useFactory: (sql: Sql, secrets: SigningSecrets) => new PostgresSealedEndpoints(sql, secrets),
    },
  ],
  exports: [SealedEndpoints],
})
export class SealedEndpointsModule {}
