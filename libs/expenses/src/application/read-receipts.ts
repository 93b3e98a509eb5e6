import { createHash } from 'node:crypto';
import { AppError, Clock } from '@counterfoil/kernel';
import { Log, receiptReadingSeconds } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { DocumentBytes } from './document-bytes';
import { type ClaimedReading, ReadingRequests } from './ports/reading-requests';
import { ReadingStopped, ReceiptReader } from './ports/receipt-reader';
import { type DocumentContent, ReceiptReadings } from './ports/receipt-readings';
import { failed, type ReadingOutcome } from './ports/reading-outcome';

/** A worker that gives no sign of life for so long has lost its claims. */
const LEASE_MS = 15_000;
const RENEWALS_PER_LEASE = 3;
/** A document that workers die of is not tried for ever. */
const ATTEMPTS_MAX = 3;
/** So many documents of a company are fetched or wait for the reader in all workers; the others' come between. */
const OF_COMPANY_MAX = 2;
const OUTCOME_KEPT_MS = 600_000;
/** Nobody waits for so long; whoever asks later asks anew. */
const UNREAD_KEPT_MS = 3_600_000;
/** Whoever asks for the same after so long waits for it to be read once more. */
const READING_KEPT_MS = 90 * 86_400_000;

/** Reads what is asked for, in the worker: claim, bring the bytes, read, record. May run many times at once. */
@Injectable()
export class ReadReceipts {
  private readonly claims = new Set<string>();
  private renewal: NodeJS.Timeout | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly requests: ReadingRequests,
    private readonly readings: ReceiptReadings,
    private readonly documents: DocumentBytes,
    private readonly reader: ReceiptReader,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Reads until nothing is left that it may take. */
  async execute(): Promise<void> {
    for (;;) {
      const now = this.clock.now();
      const lease = { now, until: this.leaseEnd(), ofCompanyMax: OF_COMPANY_MAX };
      const claim = this.stopping.signal.aborted ? null : await this.requests.claim(lease);
      if (!claim) return;
      await this.holding(claim, () => this.serve(claim));
    }
  }

  /** Removes what nobody waits for any more. */
  async purge(): Promise<void> {
    const now = this.clock.now().getTime();
    await this.requests.purge(new Date(now - OUTCOME_KEPT_MS), new Date(now - UNREAD_KEPT_MS));
    await this.readings.purge(new Date(now - READING_KEPT_MS));
  }

  /** Ends the reader; what was being read or brought is given back. */
  stop(): void {
    this.stopping.abort();
    this.reader.stop();
  }

  private async serve(claim: ClaimedReading): Promise<void> {
    try {
      const outcome = await this.outcomeOf(claim);
      await this.requests.finish(claim, outcome, this.clock.now());
    } catch (error) {
      if (error instanceof ReadingStopped) return this.requests.release(claim);
      throw error;
    }
  }

  private async outcomeOf(claim: ClaimedReading): Promise<ReadingOutcome> {
    const brought = await this.bring(claim);
    if (!('bytes' in brought)) return brought;
    const { companyId, saidAs } = claim;
    const sha256 = createHash('sha256').update(brought.bytes).digest('hex');
    const content = { companyId, saidAs, sha256 };
    const known = await this.readings.find(content, this.clock.now());
    if (known) return known;
    const outcome = await this.read(claim, brought.bytes);
    await this.keep(content, outcome);
    return outcome;
  }

  private async bring(claim: ClaimedReading): Promise<{ readonly bytes: Buffer } | ReadingOutcome> {
    try {
      return await this.unlessStopped(this.documents.of(claim));
    } catch (error) {
      if (error instanceof ReadingStopped) throw error;
      this.log.error({ error, requestId: claim.id }, 'a document could not be brought to be read');
      const isAway = error instanceof AppError && error.code === 'UNAVAILABLE';
      return isAway
        ? failed('UNAVAILABLE', 'the file cannot be opened now; try again', 'once')
        : failed('EXTRACTION_FAILED', 'the file could not be read', 'once');
    }
  }

  private async read(
    { attempts, companyId, saidAs }: ClaimedReading,
    bytes: Buffer,
  ): Promise<ReadingOutcome> {
    if (attempts > ATTEMPTS_MAX) {
      return failed('EXTRACTION_FAILED', 'the file could not be read: every attempt was cut off', 'brief');
    }
    const observe = receiptReadingSeconds.startTimer();
    const outcome = await this.unlessStopped(this.reader.read({ companyId, bytes, saidAs }));
    observe({ outcome: 'reading' in outcome ? outcome.reading.source : outcome.failure.code });
    return outcome;
  }

  /** Who waits is told what was read, though it be read again for the next. */
  private async keep(content: DocumentContent, outcome: ReadingOutcome): Promise<void> {
    try {
      await this.readings.save(content, outcome, this.clock.now());
    } catch (error) {
      this.log.warn({ error }, 'what was read of a document could not be kept');
    }
  }

  /** What is not waited for ends by its own limits, and changes nothing. */
  private unlessStopped<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.stopping;
    return new Promise((resolve, reject) => {
      const stopped = () => reject(new ReadingStopped());
      signal.addEventListener('abort', stopped, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stopped));
      if (signal.aborted) stopped();
    });
  }

  private async holding(claim: ClaimedReading, work: () => Promise<void>): Promise<void> {
    this.claims.add(claim.claimId);
    this.renewal ??= setInterval(() => void this.renew(), LEASE_MS / RENEWALS_PER_LEASE);
    try {
      await work();
    } finally {
      this.claims.delete(claim.claimId);
      if (this.claims.size === 0) {
        clearInterval(this.renewal);
        this.renewal = undefined;
      }
    }
  }

  private async renew(): Promise<void> {
    try {
      await this.requests.renew([...this.claims], this.leaseEnd());
    } catch (error) {
      this.log.warn({ error }, 'the claims on documents to read could not be held longer');
    }
  }

  private leaseEnd(): Date {
    return new Date(this.clock.now().getTime() + LEASE_MS);
  }
}
