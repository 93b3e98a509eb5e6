import type { Transaction } from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import { DocumentTransactions } from './document-transactions';

/**
 * Signals jobs that request allocation numbers. A signal may be lost; the sweep finds due requests in
 * PostgreSQL.
 */
@Injectable()
export class AllocationNumberJobs {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly queue: JobQueue,
  ) {}

  /** Signals after `tx` has committed. */
  signalAfter(tx: Transaction, documentId: number): void {
    this.transactions.afterCommit(tx, () => void this.signal([documentId]));
  }

  signal(documentIds: readonly number[]): Promise<void> {
    const jobs = documentIds.map((documentId) => ({ id: `approval-${documentId}`, payload: { documentId } }));
    return this.queue.signal('approval.request', jobs);
  }
}
