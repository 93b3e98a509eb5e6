import { Config } from '@counterfoil/config';
import { FilesModule } from '@counterfoil/files';
import { Clock } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { OutboundHttpModule } from '@counterfoil/outbound-http';
import { Module } from '@nestjs/common';
import { LocalReceiptReader } from './adapters/extraction/local-receipt-reader';
import { SecondReceiptReader } from './adapters/extraction/second-receipt-reader';
import { DocumentBytes } from './application/document-bytes';
import { ReceiptReader } from './application/ports/receipt-reader';
import { ReadReceipts } from './application/read-receipts';
import { ReadingStoreModule } from './reading-store.module';

/** Of the time that a caller waits, the share in which a document is read: who waits is told what became of it. */
const READER_SHARE = 0.9;

/** Reading receipts, for the worker. */
@Module({
  imports: [FilesModule, OutboundHttpModule, ReadingStoreModule],
  providers: [
    DocumentBytes,
    ReadReceipts,
    {
      provide: ReceiptReader,
      inject: [Config, Clock, Log],
      useFactory: configuredReader,
    },
  ],
  exports: [ReadReceipts],
})
export class ReceiptReadingModule {}

function configuredReader(config: Config, clock: Clock, log: Log): ReceiptReader {
  const { timeoutMs, secondReader } = config.extraction;
  const local = new LocalReceiptReader(timeoutMs * READER_SHARE, clock, log);
  return secondReader === null ? local : new SecondReceiptReader(local, secondReader, clock, log);
}
