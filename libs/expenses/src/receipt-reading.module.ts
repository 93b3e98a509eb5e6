import { Config } from '@counterfoil/config';
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
import { DocumentFetcher } from './application/document-fetcher';
import { ReceiptReader } from './application/ports/receipt-reader';
import { ReadReceipts } from './application/read-receipts';
import { longestInReaderMs } from './application/reading-slots';
import { ReadingStoreModule } from './reading-store.module';

/** Reads receipts; used by the worker. */
@Module({
  imports: [FilesModule, OutboundHttpModule, ReadingStoreModule],
  providers: [
    DocumentFetcher,
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
  const local = new LocalReceiptReader(await receiptSource(config, log), clock, log);
  return secondReader === null ? local : new SecondReceiptReader(local, secondReader, clock, log);
}

async function receiptSource(config: Config, log: Log): Promise<ReceiptSource> {
  const { socket, sandbox, documentTimeoutMs } = config.extraction;
  if (socket !== null) {
    log.info({ sandbox: 'container', socket }, 'isolation of the receipt reader');
    return new RemoteReceipts(socket, longestInReaderMs(documentTimeoutMs));
  }
  const chosen = await chooseSandbox(sandbox);
  noteSandbox(chosen, log, riskWithoutSandbox(config));
  return new ReceiptProcesses(documentTimeoutMs, chosen.sandbox);
}

function riskWithoutSandbox({ dataDir, files }: Config): string {
  const storeKeys = files.s3 === null ? '' : `, the keys of the bucket ${files.s3.bucket}`;
  return (
    "A receipt that takes the reader over has the rights of the worker's user: it can reach the network, the files in " +
    `${dataDir}, whatever else this user can read, and, unless the kernel forbids it, the worker's memory with ` +
    `DATABASE_URL, SECRETS_KEY${storeKeys} and every other secret, and so the data of all companies. Set ` +
    'READER_SANDBOX=require to refuse to start without a sandbox, or READER_SOCKET to read in a container of its own: ' +
    'docs/operations.md'
  );
}
