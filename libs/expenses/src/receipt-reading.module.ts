import { Config, type ExtractionConfig } from '@counterfoil/config';
import { FilesModule } from '@counterfoil/files';
import { Clock } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { OutboundHttpModule } from '@counterfoil/outbound-http';
import {
  chooseSandbox,
  noteSandbox,
  ReceiptProcesses,
  type ReceiptSource,
  RemoteReceipts,
} from '@counterfoil/receipt-reader';
import { Module } from '@nestjs/common';
import { LocalReceiptReader } from './adapters/extraction/local-receipt-reader';
import { SecondReceiptReader } from './adapters/extraction/second-receipt-reader';
import { DocumentBytes } from './application/document-bytes';
import { ReceiptReader } from './application/ports/receipt-reader';
import { ReadReceipts } from './application/read-receipts';
import { ReadingStoreModule } from './reading-store.module';

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

async function configuredReader(config: Config, clock: Clock, log: Log): Promise<ReceiptReader> {
  const { secondReader } = config.extraction;
  const local = new LocalReceiptReader(await receiptSource(config.extraction, log), clock, log);
  return secondReader === null ? local : new SecondReceiptReader(local, secondReader, clock, log);
}

async function receiptSource(config: ExtractionConfig, log: Log): Promise<ReceiptSource> {
  if (config.socket !== null) {
    log.info({ sandbox: 'container', socket: config.socket }, 'how the reader of receipts is isolated');
    return new RemoteReceipts(config.socket);
  }
  const chosen = await chooseSandbox(config.sandbox);
  noteSandbox(chosen, log);
  return new ReceiptProcesses(config.documentTimeoutMs, chosen.sandbox);
}
