import type { Caller, Transaction } from '@counterfoil/kernel';
import { Module } from '@nestjs/common';
import { RunDueOccurrences, type ScheduledWork } from '@counterfoil/scheduling';
import type { OpenContext, TestContext } from '@counterfoil/test-harness';
import { BillRetainer } from '../application/bill-retainer';
import { type AskedSending, type RetainerDocument, RetainerMails } from '../application/ports/retainer-mails';
import { RetainerReader, type RetainerRow } from '../application/ports/retainer.reader';
import type { NewRetainer, RetainerSending } from '../domain/retainer';
import { RetainersModule } from '../retainers.module';

/** Keeps what retainers would mail. */
export class RecordingMails extends RetainerMails {
  readonly queued: { readonly documentId: number; readonly sending: RetainerSending }[] = [];

  override check(_companyId: number, { sending }: AskedSending): Promise<RetainerSending> {
    return Promise.resolve(sending);
  }

  override queue(
    _tx: Transaction,
    { id: documentId }: RetainerDocument,
    sending: RetainerSending,
  ): Promise<void> {
    this.queued.push({ documentId, sending });
    return Promise.resolve();
  }
}

@Module({ providers: [{ provide: RetainerMails, useClass: RecordingMails }], exports: [RetainerMails] })
class RecordingMailsModule {}

export const RETAINERS_MODULE = RetainersModule.register(RecordingMailsModule);

/** A monthly retainer over 100 plus VAT, with these changes. */
export function aRetainer(entityId: number, changes: Partial<NewRetainer> = {}): NewRetainer {
  return {
    entityId,
    documentType: 'TAX_INVOICE',
    currency: 'ILS',
    items: [{ description: 'Support', quantity: 1, unitPrice: 100 }],
    interval: 'MONTHLY',
    nextRunDate: '2026-01-31',
    ...changes,
  };
}

const NO_WORK: ScheduledWork = {
  carryOut: () => Promise.reject(new Error('nobody asked for this')),
  eventsOf: () => Promise.resolve([]),
};

/** Issues the due documents of retainers, like the worker's job. */
export async function bill(context: OpenContext, ...retainerIds: number[]): Promise<void> {
  const works = { RETAINER: context.get(BillRetainer), RECURRING_PAYMENT: NO_WORK };
  for (const id of retainerIds) await context.get(RunDueOccurrences).execute(id, works);
}

export async function retainersOf(context: OpenContext, { companyId }: Caller): Promise<RetainerRow[]> {
  const rows: RetainerRow[] = [];
  for await (const batch of context.get(RetainerReader).list(companyId)) rows.push(...batch);
  return rows;
}

export interface BilledDocument {
  readonly id: number;
  readonly type: string;
  readonly number: number;
  readonly issueDate: string;
  readonly totalWithTax: number;
}

/** Returns the documents that a retainer has issued, in order. */
export function billedBy({ database }: TestContext, retainerId: number): Promise<BilledDocument[]> {
  return database.query<BilledDocument>(
    `select id::int, type, number::int, issue_date::text as "issueDate", total_with_tax::float as "totalWithTax"
       from documents where retainer_id = $1 order by id`,
    [retainerId],
  );
}
