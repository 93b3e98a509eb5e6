import { FaultPoints } from '@counterfoil/config';
import { Clock } from '@counterfoil/kernel';
import type { NewEvent } from '@counterfoil/outbox';
import {
  type RunRefusal,
  RunTaken,
  type ScheduledRun,
  type ScheduledWork,
  Schedules,
} from '@counterfoil/scheduling';
import { Injectable } from '@nestjs/common';
import { retainerRefused } from './retainer-events';
import { documentOf, type Retainer, RETAINER_ACTOR, retainerPeriod } from '../domain/retainer';
import { DocumentDrafts } from './document-drafts';
import { DocumentTransactions } from './document-transactions';
import { DocumentIssuer, wantedOf } from './issue-document';
import { RetainerMails } from './ports/retainer-mails';
import { RetainerRepository } from './ports/retainer.repository';

/** Issues the documents of retainers when they are due, each with the date of its run (contract §8.14). */
@Injectable()
export class BillRetainer implements ScheduledWork {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly retainers: RetainerRepository,
    private readonly drafts: DocumentDrafts,
    private readonly documentIssuer: DocumentIssuer,
    private readonly mails: RetainerMails,
    private readonly schedules: Schedules,
    private readonly clock: Clock,
    private readonly faults: FaultPoints,
  ) {}

  /** Takes the run in the transaction that issues the document and queues its mails, so that all happen or nothing. */
  async carryOut(run: ScheduledRun): Promise<void> {
    const { companyId } = run;
    const retainer = await this.find(run);
    // The retainer was ended after its run had become due.
    if (!retainer) throw new RunTaken(run);
    const document = documentOf(retainer, retainerPeriod(run, run.runsBefore), retainer.id);
    const wanted = wantedOf(await this.drafts.draft(companyId, document), document);
    const { send } = retainer;
    this.faults.reach('issuance.drafted');
    await this.transactions.run(companyId, async (tx) => {
      await this.schedules.take(tx, run, this.clock.now());
      const issuer = { companyId, actor: RETAINER_ACTOR } as const;
      const { id, type } = await this.documentIssuer.issue(tx, issuer, wanted, null);
      if (send === null) return;
      await this.mails.queue(tx, { companyId, id, type }, send);
      this.faults.reach('retainer.mails-queued');
    });
    this.faults.reach('issuance.committed');
  }

  async eventsOf(run: ScheduledRun, refusal: RunRefusal): Promise<readonly NewEvent[]> {
    const retainer = await this.find(run);
    return retainer ? [retainerRefused(retainer, run.runDate, refusal)] : [];
  }

  private find({ companyId, scheduleId }: ScheduledRun): Promise<Retainer | null> {
    return this.retainers.find(companyId, scheduleId);
  }
}
