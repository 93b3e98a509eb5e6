import { FilesModule } from '@counterfoil/files';
import { OutboundHttpModule } from '@counterfoil/outbound-http';
import { PartiesModule } from '@counterfoil/parties';
import { Module } from '@nestjs/common';
import { AwaitedOutcomes } from './application/awaited-outcomes';
import { ExtractReceipt } from './application/extract-receipt';
import { QueuedReadings } from './application/queued-readings';
import { ReadingStoreModule } from './reading-store.module';

/** Having receipts read by a worker, for the API. */
@Module({
  imports: [FilesModule, OutboundHttpModule, PartiesModule, ReadingStoreModule],
  providers: [AwaitedOutcomes, ExtractReceipt, QueuedReadings],
  exports: [ExtractReceipt],
})
export class ExtractionModule {}
