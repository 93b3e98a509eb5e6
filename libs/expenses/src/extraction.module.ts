import { FilesModule } from '@counterfoil/files';
import { OutboundHttpModule } from '@counterfoil/outbound-http';
import { PartiesModule } from '@counterfoil/parties';
import { Module } from '@nestjs/common';
import { OutcomePoller } from './application/outcome-poller';
import { ExtractReceipt } from './application/extract-receipt';
import { ExtractionQueue } from './application/extraction-queue';
import { ReadingStoreModule } from './reading-store.module';

/** Queues receipts for the worker and waits for outcomes; used by the API. */
@Module({
  imports: [FilesModule, OutboundHttpModule, PartiesModule, ReadingStoreModule],
  providers: [OutcomePoller, ExtractReceipt, ExtractionQueue],
  exports: [ExtractReceipt],
})
export class ExtractionModule {}
