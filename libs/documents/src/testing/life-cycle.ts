import type { Caller } from '@counterfoil/kernel';
import type { TestContext } from '@counterfoil/test-harness';
import { AllocateReceipt } from '../application/allocate-receipt';
import { CancelDocument } from '../application/cancel-document';
import { CloseDocument } from '../application/close-document';
import { IssueDocument } from '../application/issue-document';
import { DocumentReader, type DocumentRecord } from '../application/ports/document.reader';
import type { DocumentHeader } from '../domain/document';
import type { NewDocument } from '../domain/draft-document';
import type { GivenCompany } from './given-company';

/** An event in the outbox. */
export interface StoredEvent {
  readonly type: string;
  readonly data: {
    readonly document: Readonly<Record<string, unknown>>;
    readonly [more: string]: unknown;
  };
}

/** Returns the reported event types by document number. */
export function told(events: readonly StoredEvent[]): unknown[][] {
  return events.map(({ type, data }) => [type, data.document['documentId']]);
}

/** The documents of one company, and operations on them. */
export class LifeCycle {
  private readonly caller: Caller;
  private readonly entityId: number;

  constructor(
    private readonly context: TestContext,
    { caller, entityId }: GivenCompany,
  ) {
    this.caller = caller;
    this.entityId = entityId;
  }

  get companyId(): number {
    return this.caller.companyId;
  }

  async issue(input: Partial<NewDocument> & Pick<NewDocument, 'type'>): Promise<DocumentHeader> {
    const whole = { entityId: this.entityId, items: [], payments: [], ...input };
    const { document } = await this.context.get(IssueDocument).execute(this.caller, whole);
    return document;
  }

  /** Issues a document with one item without VAT. */
  issueOver(
    total: number,
    type: NewDocument['type'] = 'TAX_INVOICE',
    more: Partial<NewDocument> = {},
  ): Promise<DocumentHeader> {
    const items = [{ description: 'Work', quantity: 1, unitPrice: total, vatRate: 0 }];
    return this.issue({ type, items, ...more });
  }

  receipt(amount: number, more: Partial<NewDocument> = {}): Promise<DocumentHeader> {
    return this.issue({ type: 'RECEIPT', payments: [{ method: 'CASH', amount }], ...more });
  }

  allocate(
    receipt: { readonly id: number },
    ...to: (readonly [document: { readonly id: number }, amount: number])[]
  ) {
    const allocations = to.map(([{ id }, amount]) => ({ documentId: id, amount }));
    return this.context.get(AllocateReceipt).execute(this.caller, { receiptId: receipt.id, allocations });
  }

  cancel({ visibleId }: { readonly visibleId: string }, reason = 'a mistake'): Promise<DocumentHeader> {
    return this.context.get(CancelDocument).execute(this.caller, visibleId, reason);
  }

  close({ visibleId }: { readonly visibleId: string }): Promise<DocumentHeader> {
    return this.context.get(CloseDocument).execute(this.caller, visibleId);
  }

  async read({ id }: { readonly id: number }): Promise<DocumentRecord> {
    const found = await this.context.get(DocumentReader).find(this.companyId, { id });
    if (!found) throw new Error(`no document ${id}`);
    return found;
  }

  /** Returns status, remaining amount and covered amount. */
  async stateOf(document: {
    readonly id: number;
  }): Promise<[status: string, remaining: number, covered: number]> {
    const { status, remainingAmount, coveredAmount } = await this.read(document);
    return [status, remainingAmount, coveredAmount];
  }

  /** Returns the events that `work` caused, in order. */
  async eventsOf(work: () => Promise<unknown>): Promise<StoredEvent[]> {
    const { database } = this.context;
    const [last] = await database.query<{ last: number }>(
      'select coalesce(max(sequence), 0)::int as last from outbox_events',
    );
    await work();
    const rows = await database.query<{ body: string }>(
      'select body from outbox_events where company_id = $1 and sequence > $2 order by sequence',
      [this.companyId, last?.last],
    );
    return rows.map(({ body }) => {
      const { type, data } = JSON.parse(body) as StoredEvent;
      return { type, data };
    });
  }
}
