import path from 'node:path';
import { runUntilAborted } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { Piscina } from 'piscina';
import { PdfRenderer, type PrintablePages, type RenderedPages } from '../../application/ports/pdf-renderer';

/** The compiler and the fonts take memory, so they are dropped after this time without a document. */
const IDLE_MS = 60_000;
/** Ten times as long as the longest document takes. Its thread is ended then. */
const DOCUMENT_MAX_MS = 20_000;

type Threads = Piscina<PrintablePages, RenderedPages>;

/** Renders in a thread, so that deliveries and other jobs of the process do not wait. */
@Injectable()
export class ThreadedPdfRenderer extends PdfRenderer {
  private threads: Promise<Threads> | null = null;
  private readonly stopping = new AbortController();

  override async render(pages: PrintablePages): Promise<RenderedPages> {
    this.stopping.signal.throwIfAborted();
    this.threads ??= startThreads();
    const threads = await this.threads.catch((error: unknown) => {
      this.threads = null;
      throw error;
    });
    const ends = { signals: [this.stopping.signal], limitMs: DOCUMENT_MAX_MS };
    return runUntilAborted((signal) => threads.run(pages, { signal }), ends);
  }

  override async stop(): Promise<void> {
    this.stopping.abort();
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
