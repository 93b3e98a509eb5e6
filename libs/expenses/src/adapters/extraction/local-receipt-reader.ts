import type { Clock } from '@counterfoil/kernel';
import { plainDateOf } from '@counterfoil/kernel';
import type { Log } from '@counterfoil/observability';
import {
  isCutShort,
  type ReaderLoss,
  ReaderLost,
  type Reading,
  type ReceiptSource,
  type Unreadable,
} from '@counterfoil/receipt-reader';
import {
  type DocumentToRead,
  ReadingStalled,
  ReadingStopped,
  ReadingWithdrawn,
  ReceiptReader,
} from '../../application/ports/receipt-reader';
import { failed, type ReadingOutcome } from '../../application/ports/reading-outcome';

const UNREADABLE: Readonly<Record<Unreadable, string>> = {
  unsupported: 'files of this type cannot be read',
  damaged: 'the file is damaged, or its content does not match its type',
  encrypted: 'the file is encrypted: a password is needed to open it',
  'too-large': 'the file is too large to be read',
};

interface OutcomeWithText {
  readonly outcome: ReadingOutcome;
  readonly text: string;
}

/** Reads documents in separate processes on this machine. They receive only the bytes of the document. */
export class LocalReceiptReader extends ReceiptReader {
  constructor(
    private readonly processes: ReceiptSource,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
  }

  override async read(document: DocumentToRead): Promise<ReadingOutcome | 'needs-recognition'> {
    const read = await this.outcomeOf(document, false);
    return read === 'needs-recognition' ? read : read.outcome;
  }

  /** Like `read`, with the text in which the fields were found, line by line. The text may be empty. */
  readWithText(document: DocumentToRead): Promise<OutcomeWithText | 'needs-recognition'> {
    return this.outcomeOf(document, true);
  }

  override heldBack(): readonly number[] {
    return this.processes.heldBack();
  }

  override stop(): void {
    this.processes.stop();
  }

  private async outcomeOf(
    document: DocumentToRead,
    withText: boolean,
  ): Promise<OutcomeWithText | 'needs-recognition'> {
    const { companyId, named } = document;
    const answer = await this.answerFor(document, withText);
    switch (answer.kind) {
      case 'read':
        return { outcome: readingOutcome(answer.reading), text: answer.text };
      case 'needs-recognition':
        return answer.kind;
      case 'unreadable':
        return { outcome: unreadable(answer.reason), text: '' };
      case 'failed':
        this.log.error({ companyId, ...named, fault: answer.message }, 'the receipt reader failed');
        return { outcome: failed('EXTRACTION_FAILED', 'the file could not be read', 'brief'), text: '' };
      case 'lost':
        return { outcome: lost(answer), text: '' };
      case 'away':
        return { outcome: failed('UNAVAILABLE', 'receipts cannot be read now; try again', 'once'), text: '' };
    }
  }

  private async answerFor({ companyId, named, ...document }: DocumentToRead, withText: boolean) {
    const today = plainDateOf(this.clock.now());
    try {
      return await this.processes.read({ ...document, owner: companyId, today, withText });
    } catch (error) {
      if (!(error instanceof ReaderLost)) throw error;
      if (error.loss === 'stopped') throw new ReadingStopped();
      if (error.loss === 'withdrawn') throw new ReadingWithdrawn();
      this.log.warn(
        { companyId, ...named, loss: error.loss, told: error.told },
        'the receipt reader ended while it read a document',
      );
      if (error.loss === 'stalled') throw new ReadingStalled();
      if (error.loss === 'away') return { kind: 'away' } as const;
      return { kind: 'lost', loss: error.loss, reason: error.message } as const;
    }
  }
}

/** A reading that was cut short is not stored, because the next one may have more time. */
function readingOutcome(reading: Reading): ReadingOutcome {
  return { reading, stands: isCutShort(reading) ? 'once' : 'lasting' };
}

/** A lack of time is not stored either, because it also depends on the machine. */
function lost({ loss, reason }: { readonly loss: ReaderLoss; readonly reason: string }): ReadingOutcome {
  const ttl = loss === 'time' ? 'once' : 'brief';
  return failed('EXTRACTION_FAILED', `the file could not be read: ${reason}`, ttl);
}

function unreadable(reason: Unreadable): ReadingOutcome {
  const code = reason === 'unsupported' ? 'UNSUPPORTED_FILE_TYPE_FOR_EXTRACTION' : 'EXTRACTION_FAILED';
  return failed(code, UNREADABLE[reason], 'lasting');
}
