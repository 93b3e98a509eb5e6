import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Config } from '@counterfoil/config';
import { AppError, type Backlog, HeldLeases, LEASE_MS, outsideTraces } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { DocumentFetcher } from './document-fetcher';
import { observeReading } from './observe-reading';
import { type ClaimedReading, ReadingRequests, type ReadingTerms } from './ports/reading-requests';
import { ReadingStalled, ReadingStopped, ReadingWithdrawn, ReceiptReader } from './ports/receipt-reader';
import { type DocumentContent, ReceiptReadings } from './ports/receipt-readings';
import { failed, type ReadingOutcome } from './ports/reading-outcome';
import { inFetchSpan, inReadingSpan, inTraceOf } from './reading-spans';
import { type InHand, longestReadingMs, roomBeside } from './reading-slots';

/** Limits the retries of a document that crashes workers. */
const ATTEMPTS_MAX = 3;
/** A document that the reader did not finish is tried once more. */
const STALLED_ATTEMPTS_MAX = 2;
/**
 * Maximum number of texts of a company that all workers read at once. The same limit applies to images and to
 * URLs.
 */
const OF_COMPANY_MAX = 2;
/**
 * Maximum number of documents of all deprioritised companies that one worker reads at once. The other slots
 * are for other companies.
 */
const HELD_BACK_MAX = 4;
const OUTCOME_KEPT_MS = 600_000;
/** Longer than any caller waits. Later calls create a new request. */
const UNREAD_KEPT_MS = 3_600_000;
/** Retention of readings. After that, a request reads the file again. */
const READING_KEPT_MS = 90 * 86_400_000;

interface HeldClaim extends InHand {
  readonly companyId: number;
  /** Aborted when the claim is lost, or no caller waits any more. */
  readonly withdrawn: AbortSignal;
}

/** The claim was released and can be claimed again. */
type GivenBack = 'given-back';

/** Performs requested readings in the worker: claim, fetch the bytes, read, record. May run concurrently. */
@Injectable()
export class ReadReceipts {
  private readonly claims = new Map<string, HeldClaim>();
  private lastTurn: Promise<unknown> = Promise.resolve();
  private readonly underWay = new Set<Promise<void>>();
  private readonly leases: HeldLeases;
  private readonly stopping = new AbortController();

  constructor(
    private readonly requests: ReadingRequests,
    private readonly readings: ReceiptReadings,
    private readonly fetcher: DocumentFetcher,
    private readonly reader: ReceiptReader,
    private readonly log: Log,
    config: Config,
  ) {
    // Callers wait six times as long as a lease lasts, so another worker can still read the document for them.
    this.leases = new HeldLeases({
      renew: (claimIds, leaseMs) => this.requests.renew(claimIds, leaseMs),
      onError: (error) => this.log.warn({ error }, 'the claims on documents could not be renewed'),
      longestMs: longestReadingMs(config.extraction.documentTimeoutMs),
    });
    // Each document being read adds a listener, so the default limit of listeners is too low.
    setMaxListeners(0, this.stopping.signal);
  }

  /** Starts readings for all free slots, and further ones as slots become free. Does not wait for them. */
  execute(): Promise<void> {
    const filling = outsideTraces(() => this.fill());
    this.untilEnd(filling.catch(() => undefined));
    return filling;
  }

  private async fill(): Promise<void> {
    while (await this.inTurn(() => this.beginNext()));
  }

  /** @returns whether there may be more to start */
  private async beginNext(): Promise<boolean> {
    const terms = this.terms();
    const claimedAt = performance.now();
    const claim = terms && (await this.requests.claim(terms));
    if (!claim) return false;
    if (this.stopping.signal.aborted) await this.requests.release(claim);
    else this.begin(claim, claimedAt);
    return !this.stopping.signal.aborted;
  }

  /** Makes claims one after the other, because each depends on the claims made before. */
  private inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const answer = this.lastTurn.then(ask);
    this.lastTurn = answer.catch(() => undefined);
    return answer;
  }

  backlog(): Promise<Backlog> {
    return this.requests.backlog();
  }

  /**
   * Deletes old requests and readings.
   *
   * @param signal stops after the current batch
   */
  async purge(signal: AbortSignal): Promise<void> {
    await this.requests.purge({ finishedMs: OUTCOME_KEPT_MS, unreadMs: UNREAD_KEPT_MS }, signal);
    await this.readings.purge(READING_KEPT_MS, signal);
  }

  /** Stops the reader. Resolves when the claims of all current documents are released. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.reader.stop();
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  /** Null if there is no free slot, or the worker stops. */
  private terms(): ReadingTerms | null {
    const inHand = [...this.claims.values()];
    const room = roomBeside(inHand);
    if (this.stopping.signal.aborted || !Object.values(room).includes(true)) return null;
    const companyIds = this.reader.heldBack();
    const ofHeldBack = inHand.filter(({ companyId }) => companyIds.includes(companyId));
    return {
      ...{ leaseMs: LEASE_MS, ...room, held: [...this.claims.keys()] },
      ofCompanyMax: OF_COMPANY_MAX,
      heldBack: { companyIds, ofCompanyMax: ofHeldBack.length < HELD_BACK_MAX ? 1 : 0 },
    };
  }

  private begin(claim: ClaimedReading, claimedAt: number): void {
    const reading = inTraceOf(claim, () => this.holding(claim, claimedAt, (held) => this.serve(claim, held)));
    this.keepTrack(
      claim,
      reading.then(() => this.execute()),
    );
  }

  private keepTrack({ id: requestId }: ClaimedReading, work: Promise<void>): void {
    const reported = work.catch((error: unknown) =>
      this.log.warn({ error, requestId }, 'a reading failed; it is retried'),
    );
    this.untilEnd(reported);
  }

  /** Makes `stop` wait for this work, which must not throw. */
  private untilEnd(work: Promise<void>): void {
    const ended = work.finally(() => this.underWay.delete(ended));
    this.underWay.add(ended);
  }

  private async serve(claim: ClaimedReading, held: HeldClaim): Promise<void> {
    try {
      const outcome = await this.outcomeOf(claim, held);
      if (outcome !== 'given-back') await this.requests.finish(claim, outcome);
    } catch (error) {
      if (isUnread(error)) return this.requests.release(claim);
      if (!(error instanceof ReadingStalled)) throw error;
      if (claim.attempts < STALLED_ATTEMPTS_MAX) return this.requests.retry(claim);
      const message =
        'the document was not read in time, possibly because the reader was too busy; try again';
      await this.requests.finish(claim, error.part ?? failed('UNAVAILABLE', message, 'once'));
    }
  }

  private async outcomeOf(claim: ClaimedReading, held: HeldClaim): Promise<ReadingOutcome | GivenBack> {
    const brought = await this.bring(claim, held.withdrawn);
    if (!('bytes' in brought)) return brought;
    const { companyId, declaredKind } = claim;
    const sha256 = createHash('sha256').update(brought.bytes).digest('hex');
    const content = { companyId, declaredKind, sha256 };
    const known = await this.readings.find(content);
    if (known) return known;
    const read = () => this.read(claim, { ...brought, sha256 }, held);
    const outcome = await inReadingSpan(brought.bytes, () => observeReading(read));
    if (outcome !== 'given-back') await this.keep(content, outcome, claim);
    return outcome;
  }

  private async bring(
    claim: ClaimedReading,
    withdrawn: AbortSignal,
  ): Promise<{ readonly bytes: Buffer } | ReadingOutcome> {
    try {
      return await inFetchSpan(() => this.unlessStopped(this.fetcher.fetch(claim), withdrawn));
    } catch (error) {
      if (isUnread(error)) throw error;
      this.log.error({ error, requestId: claim.id }, 'a document could not be fetched');
      const isAway = error instanceof AppError && error.code === 'UNAVAILABLE';
      return isAway
        ? failed('UNAVAILABLE', 'the file cannot be opened now; try again', 'once')
        : failed('EXTRACTION_FAILED', 'the file could not be read', 'once');
    }
  }

  private async read(
    claim: ClaimedReading,
    { bytes, sha256 }: { readonly bytes: Buffer; readonly sha256: string },
    held: HeldClaim,
  ): Promise<ReadingOutcome | GivenBack> {
    const { id, of, attempts, companyId, declaredKind } = claim;
    if (attempts > ATTEMPTS_MAX) {
      return failed(
        'EXTRACTION_FAILED',
        'the file could not be read: every attempt was interrupted',
        'brief',
      );
    }
    const named = { requestId: id, fileId: 'fileId' in of ? of.fileId : null, sha256 };
    const document = { companyId, bytes, declaredKind, named, signal: held.withdrawn };
    const read = (recognise: boolean) => this.unlessStopped(this.reader.read({ ...document, recognise }));
    let outcome = await read(held.isImage);
    if (outcome === 'needs-recognition') {
      if (!(await this.turnIntoImage(claim, held))) return 'given-back';
      outcome = await read(true);
    }
    if (outcome === 'needs-recognition') throw new Error('the reader recognised no image');
    return outcome;
  }

  /** Frees the slot of a text or URL. Returns true if the claim continues as an image. */
  private async turnIntoImage(claim: ClaimedReading, held: HeldClaim): Promise<boolean> {
    const goesOn = await this.inTurn(() => {
      const { images: hasRoom } = roomBeside([...this.claims.values()]);
      held.isImage = true;
      return this.requests.turnIntoImage(claim, { hasRoom, ofCompanyMax: OF_COMPANY_MAX });
    });
    if (goesOn) this.keepTrack(claim, this.execute());
    return goesOn;
  }

  /** Caches a reading. A failure is only logged, because it must not fail the request. */
  private async keep(
    content: DocumentContent,
    outcome: ReadingOutcome,
    claim: ClaimedReading,
  ): Promise<void> {
    try {
      await this.readings.save(content, outcome, claim);
    } catch (error) {
      this.log.warn({ error }, 'the reading of a document could not be cached');
    }
  }

  /**
   * Waits for the work unless it is stopped or withdrawn. Abandoned work ends by its own time limits and has
   * no effect.
   */
  private async unlessStopped<T>(work: Promise<T>, withdrawn?: AbortSignal): Promise<T> {
    const ended = new AbortController();
    const within = { signal: ended.signal };
    try {
      return await Promise.race([
        work,
        rejectedBy(this.stopping.signal, () => new ReadingStopped(), within),
        ...(withdrawn ? [rejectedBy(withdrawn, () => new ReadingWithdrawn(), within)] : []),
      ]);
    } finally {
      ended.abort();
    }
  }

  /** Frees the slot when the work ends, or is given up because it hangs. */
  private async holding(
    { claimId, companyId, isImage, of }: ClaimedReading,
    claimedAt: number,
    work: (held: HeldClaim) => Promise<void>,
  ): Promise<void> {
    try {
      await this.leases.during(claimId, claimedAt, ({ lost: withdrawn }) => {
        const held = { companyId, isUrl: 'url' in of, isImage, withdrawn };
        this.claims.set(claimId, held);
        return work(held);
      });
    } finally {
      this.claims.delete(claimId);
    }
  }
}

const isUnread = (error: unknown): boolean =>
  error instanceof ReadingStopped || error instanceof ReadingWithdrawn;

/** Rejects when the signal is aborted, until the returned listener is removed. */
function rejectedBy(
  signal: AbortSignal,
  reason: () => Error,
  within: { readonly signal: AbortSignal },
): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(reason());
    signal.addEventListener('abort', () => reject(reason()), { once: true, ...within });
  });
}
