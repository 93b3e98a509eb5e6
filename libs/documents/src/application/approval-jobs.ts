import type { Transaction } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import { DocumentTransactions } from './document-transactions';

/** Has the worker ask for allocation numbers. A signal may be lost: what is due is found again in PostgreSQL. */
@Injectable()
export class ApprovalJobs {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly queue: JobQueue,
    private readonly log: Log,
  ) {}

  /** Signals once `tx` has committed. */
  signalAfter(tx: Transaction, documentId: number): void {
    this.transactions.afterCommit(tx, () => void this.signal([documentId]));
  }

  async signal(documentIds: readonly number[]): Promise<void> {
    const jobs = documentIds.map((documentId) => ({ id: `approval-${documentId}`, payload: { documentId } }));
    try {
      await this.queue.add('approval.request', jobs);
    } catch (error) {
      this.log.warn(
        { error, jobs: jobs.length },
        'allocation numbers could not be asked for; the sweep will',
      );
    }
  }
}
