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
    const answer = await this.answerFor(document, withText);
    switch (answer.kind) {
      case 'read':
        if (answer.fault !== undefined) this.logFault(document, answer.fault);
        return { outcome: readingOutcome(answer), text: answer.text };
      case 'needs-recognition':
        return answer.kind;
      case 'unreadable':
        return { outcome: unreadable(answer.reason), text: '' };
      case 'failed':
        this.logFault(document, answer.message);
        return { outcome: failed('EXTRACTION_FAILED', 'the file could not be read', 'brief'), text: '' };
      case 'lost':
        return { outcome: lost(answer), text: answer.part?.text ?? '' };
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
      const { loss, message: reason, part } = error;
      if (loss === 'stalled') throw new ReadingStalled(part && { reading: part.reading, stands: 'once' });
      if (loss === 'away') return { kind: 'away' } as const;
      return { kind: 'lost', loss, reason, part } as const;
    }
  }

  private logFault({ companyId, named }: DocumentToRead, fault: string): void {
    this.log.error({ companyId, ...named, fault }, 'the receipt reader failed');
  }
}

interface PagesRead {
  readonly reading: Reading;
  readonly fault?: string;
}

/**
 * A reading that was cut short is not stored, because the next one may have more time. Without damaged pages a
 * reading lasts, because they remain damaged; without pages at which the reader failed it is stored for a while. So is
 * one that may have a date tomorrow.
 */
function readingOutcome({ reading, fault }: PagesRead): ReadingOutcome {
  if (isCutShort(reading)) return { reading, stands: 'once' };
  return { reading, stands: fault === undefined && !mayHaveDateLater(reading) ? 'lasting' : 'brief' };
}

/** True if the date may have been left out because it is in the future. That of an e-invoice never is. */
function mayHaveDateLater({ fields, source }: Reading): boolean {
  return source !== 'xml' && fields.total !== undefined && fields.date === undefined;
}

interface Lost {
  readonly loss: ReaderLoss;
  readonly reason: string;
  readonly part: PagesRead | undefined;
}

/**
 * The pages that were read are the outcome. A lack of time is not stored, because it also depends on the machine.
 */
function lost({ loss, reason, part }: Lost): ReadingOutcome {
  const stands = loss === 'time' ? 'once' : 'brief';
  if (part) return { reading: part.reading, stands };
  return failed('EXTRACTION_FAILED', `the file could not be read: ${reason}`, stands);
}

function unreadable(reason: Unreadable): ReadingOutcome {
  const code = reason === 'unsupported' ? 'UNSUPPORTED_FILE_TYPE_FOR_EXTRACTION' : 'EXTRACTION_FAILED';
  return failed(code, UNREADABLE[reason], 'lasting');
}
