import { Module } from '@nestjs/common';
import { PostgresOriginals } from './adapters/postgres/postgres-originals';
import { Originals } from './application/ports/originals';
import { StampHandOver } from './application/stamp-hand-over';

/** Stamps documents that are handed over by mails and links; used by the API and the worker. */
@Module({
  providers: [StampHandOver, { provide: Originals, useClass: PostgresOriginals }],
  exports: [StampHandOver],
})
export class HandOverModule {}
