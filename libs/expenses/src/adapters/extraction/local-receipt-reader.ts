import type { Clock } from '@counterfoil/kernel';
import { plainDateOf } from '@counterfoil/kernel';
import type { Log } from '@counterfoil/observability';
import {
  type ReceiptDocument,
  ReaderLost,
  ReceiptProcesses,
  type Unreadable,
} from '@counterfoil/receipt-reader';
import { type DocumentToRead, ReadingStopped, ReceiptReader } from '../../application/ports/receipt-reader';
import { failed, type ReadingOutcome } from '../../application/ports/reading-outcome';

const UNREADABLE: Readonly<Record<Unreadable, string>> = {
  unsupported: 'files of this type cannot be read',
  damaged: 'the file is damaged, or not what it is said to be',
  encrypted: 'the file is encrypted: a password is needed to open it',
  'too-large': 'the file is too large to be read',
};

/** Reads in processes of its own on this machine, with nothing but the bytes. */
export class LocalReceiptReader extends ReceiptReader {
  private readonly processes: ReceiptProcesses;

  /** @param timeoutMs for one document */
  constructor(
    timeoutMs: number,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
    this.processes = new ReceiptProcesses(timeoutMs);
  }

  override async read(document: DocumentToRead): Promise<ReadingOutcome> {
    return (await this.outcomeOf(document, false)).outcome;
  }

  /** The same, with the text that it was found in, line by line; empty where there is none. */
  readWithText(document: DocumentToRead): Promise<{ outcome: ReadingOutcome; text: string }> {
    return this.outcomeOf(document, true);
  }

  override stop(): void {
    this.processes.stop();
  }

  private async outcomeOf(
    { companyId: owner, bytes, saidAs }: DocumentToRead,
    withText: boolean,
  ): Promise<{ outcome: ReadingOutcome; text: string }> {
    const today = plainDateOf(this.clock.now());
    const answer = await this.answerFor({ owner, bytes, saidAs, today, withText });
    switch (answer.kind) {
      case 'read':
        return { outcome: { reading: answer.reading, stands: 'lasting' }, text: answer.text };
      case 'unreadable':
        return { outcome: unreadable(answer.reason), text: '' };
      case 'failed':
        this.log.error({ fault: answer.message }, 'the reader of receipts failed');
        return { outcome: failed('EXTRACTION_FAILED', 'the file could not be read', 'brief'), text: '' };
      case 'lost':
        return { outcome: failed('EXTRACTION_FAILED', answer.message, 'brief'), text: '' };
    }
  }

  private async answerFor(document: ReceiptDocument) {
    try {
      return await this.processes.read(document);
    } catch (error) {
      if (!(error instanceof ReaderLost)) throw error;
      if (error.loss === 'stopped') throw new ReadingStopped();
      this.log.warn(
        { loss: error.loss, told: error.told },
        'the reader of receipts was lost over a document',
      );
      return { kind: 'lost', message: `the file could not be read: ${error.message}` } as const;
    }
  }
}

function unreadable(reason: Unreadable): ReadingOutcome {
  const code = reason === 'unsupported' ? 'UNSUPPORTED_FILE_TYPE_FOR_EXTRACTION' : 'EXTRACTION_FAILED';
  return failed(code, UNREADABLE[reason], 'lasting');
}
