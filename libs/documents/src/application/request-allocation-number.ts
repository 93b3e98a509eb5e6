import { setTimeout as sleep } from 'node:timers/promises';
import { Config } from '@counterfoil/config';
import { AppError, Clock, HeldLeases, LEASE_MS, pauseAfter } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { AllocationNumberInvoices } from './allocation-number-invoices';
import { AssignAllocationNumber } from './assign-allocation-number';
import { AllocationNumberRequests, type ClaimedAllocationNumber } from './ports/allocation-number-requests';
import {
  type AllocationNumberAnswer,
  type InvoiceForAllocationNumber,
  TaxAuthority,
  TaxAuthorityUnavailable,
} from './ports/tax-authority';

/** Recording is retried, because the authority may not issue the number a second time. */
const RECORD_ATTEMPTS_MAX = 10;
const RECORD_PAUSE_MS = 500;
/** The authority answers within half a minute. Each attempt to record may wait long for the database. */
const SERVING_MAX_MS = 300_000;
/**
 * How long a worker that stops waits for the current answers. Repeating a request would yield the same
 * number, but it is better to record the first answer.
 */
const STOP_PATIENCE_MS = 3_000;

/**
 * Requests the allocation number of the next document: claim, request with no transaction open, record.
 * Companies alternate, because jobs come in order of issue, where one company may have thousands in a row.
 */
@Injectable()
export class RequestAllocationNumber {
  private readonly stopping = new AbortController();
  private readonly leases: HeldLeases;
  private isStopping = false;

  constructor(
    private readonly requests: AllocationNumberRequests,
    private readonly invoices: AllocationNumberInvoices,
    private readonly authority: TaxAuthority,
    private readonly assign: AssignAllocationNumber,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.leases = new HeldLeases({
      renew: (tokens, leaseMs) => this.requests.renew(tokens, leaseMs),
      onError: (error) => this.log.warn({ error }, 'the claims on allocation numbers could not be renewed'),
      longestMs: SERVING_MAX_MS,
    });
  }

  /** Does nothing if no unclaimed request is due. */
  async execute(): Promise<void> {
    if (this.isStopping) return;
    const claimedAt = performance.now();
    const claim = await this.requests.claimNext(this.clock.now(), LEASE_MS);
    if (claim) await this.leases.during(claim.leaseToken, claimedAt, () => this.serve(claim));
  }

  /**
   * Starts no further requests, and waits a short time for those in progress. The others are postponed for
   * another worker.
   */
  stop(): void {
    this.isStopping = true;
    setTimeout(() => this.stopping.abort(), STOP_PATIENCE_MS).unref();
  }

  private async serve(claim: ClaimedAllocationNumber): Promise<void> {
    try {
      const invoice = await this.invoices.find(claim);
      await this.record(claim, invoice, await this.answerTo(invoice));
    } catch (error) {
      const nextAttemptAt = await this.postpone(claim);
      const attempt = claim.attempts + 1;
      const { documentId } = claim;
      this.log.warn(
        { error, documentId, attempt, nextAttemptAt },
        'no allocation number yet; the request is retried',
      );
    }
  }

  private answerTo(invoice: InvoiceForAllocationNumber): Promise<AllocationNumberAnswer> {
    return new Promise((resolve, reject) => {
      const { signal } = this.stopping;
      const giveUp = () => reject(new TaxAuthorityUnavailable('the worker is stopping'));
      if (signal.aborted) return giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      const asked = this.authority.request(invoice);
      asked.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
    });
  }

  private async record(
    claim: ClaimedAllocationNumber,
    invoice: InvoiceForAllocationNumber,
    answer: AllocationNumberAnswer,
  ): Promise<void> {
    const { companyId, documentId } = claim;
    switch (answer.kind) {
      case 'assigned':
        // Recorded even if another worker has taken the claim, because the number belongs to the document. It
        // is recorded once.
        await this.keep(claim, invoice, answer.allocationNumber);
        return;
      case 'refused':
        this.log.warn({ companyId, documentId, reason: answer.reason }, 'the allocation number was refused');
        await this.assign.refuse(claim, invoice.documentVisibleId);
        return;
      case 'later':
        await this.postpone(claim);
    }
  }

  private async keep(
    claim: ClaimedAllocationNumber,
    invoice: InvoiceForAllocationNumber,
    allocationNumber: string,
    attempt = 1,
  ): Promise<void> {
    const { companyId, documentId } = claim;
    try {
      await this.assign.execute(companyId, invoice.documentVisibleId, allocationNumber);
    } catch (error) {
      const isDecided = error instanceof AppError && error.code !== 'UNAVAILABLE';
      if (!isDecided && attempt < RECORD_ATTEMPTS_MAX) {
        await sleep(RECORD_PAUSE_MS);
        return this.keep(claim, invoice, allocationNumber, attempt + 1);
      }
      const unrecorded = { error, companyId, documentId, allocationNumber };
      this.log.error(unrecorded, 'the allocation number could not be recorded');
      if (!isDecided) throw error;
    }
  }

  private async postpone(claim: ClaimedAllocationNumber): Promise<Date> {
    const pauseMs = pauseAfter(claim.attempts, this.config.schedulerIntervalMs);
    const until = new Date(this.clock.now().getTime() + pauseMs);
    await this.requests.postpone(claim, until);
    return until;
  }
}
