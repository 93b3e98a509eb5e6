import { Config } from '@counterfoil/config';
import { Sql } from '@counterfoil/database';
import { READER_VERSION } from '@counterfoil/receipt-reader';
import { Module } from '@nestjs/common';
import { PostgresReadingRequests } from './adapters/postgres/postgres-reading-requests';
import { PostgresReceiptReadings } from './adapters/postgres/postgres-receipt-readings';
import { ReadingRequests } from './application/ports/reading-requests';
import { ReceiptReadings } from './application/ports/receipt-readings';

/** Where requests for readings and what was read are kept, for the API and the worker alike. */
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

/** What two readers find together is not what one of them finds alone. */
function readerVersion({ extraction: { secondReader } }: Config): string {
  return secondReader === null
    ? READER_VERSION
    : `${READER_VERSION} ${secondReader.url} ${secondReader.model}`;
}
