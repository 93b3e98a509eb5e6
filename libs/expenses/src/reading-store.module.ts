import { Config } from '@counterfoil/config';
import { Sql } from '@counterfoil/database';
import { READER_VERSION } from '@counterfoil/receipt-reader';
import { Module } from '@nestjs/common';
import { PostgresReadingRequests } from './adapters/postgres/postgres-reading-requests';
import { PostgresReceiptReadings } from './adapters/postgres/postgres-receipt-readings';
import { ReadingRequests } from './application/ports/reading-requests';
import { ReceiptReadings } from './application/ports/receipt-readings';

/** Stores of requested and finished readings; used by the API and the worker. */
@Module({
  providers: [
    { provide: ReadingRequests, useClass: PostgresReadingRequests },
    {
      provide: ReceiptReadings,
      inject: [Sql, Config],
      useFactory: (sql: Sql, config: Config): ReceiptReadings =>
        new PostgresReceiptReadings(sql, readerVersion(config)),
    },
  ],
  exports: [ReadingRequests, ReceiptReadings],
})
export class ReadingStoreModule {}

/** The version includes the second reader, because both readers together find other fields than one alone. */
function readerVersion({ extraction: { secondReader } }: Config): string {
  return secondReader === null
    ? READER_VERSION
    : `${READER_VERSION} ${secondReader.url} ${secondReader.model}`;
}
