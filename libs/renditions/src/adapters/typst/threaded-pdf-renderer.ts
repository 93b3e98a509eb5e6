import path from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Piscina } from 'piscina';
import { PdfRenderer } from '../../application/ports/pdf-renderer';
import type { PrintableDocument } from '../../application/ports/printable-document';

/** The compiler and the fonts take memory, so they are dropped after this time without a document. */
const IDLE_MS = 60_000;

type Threads = Piscina<PrintableDocument, Uint8Array>;

/** Renders in a thread, so that deliveries and other jobs of the process do not wait. */
@Injectable()
export class ThreadedPdfRenderer extends PdfRenderer implements OnApplicationShutdown {
  private threads: Promise<Threads> | null = null;

  override async render(document: PrintableDocument): Promise<Uint8Array> {
    this.threads ??= startThreads();
    return (await this.threads).run(document);
  }

  async onApplicationShutdown(): Promise<void> {
    await (await this.threads)?.destroy();
  }
}

async function startThreads(): Promise<Threads> {
  const {
    default: { Piscina },
  } = await import('piscina');
  const filename = path.join(__dirname, 'render-thread.js');
  return new Piscina({ filename, name: 'render', minThreads: 0, maxThreads: 1, idleTimeout: IDLE_MS });
}
