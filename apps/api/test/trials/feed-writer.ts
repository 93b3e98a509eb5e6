import type { Answer } from '../http-exchange';
import { chance, type Company, oneOf, read } from './company';

const UNIT_PRICE = 100;
/** Older documents are dropped, so that a long trial does not use more and more memory. */
const KEPT_MAX = 50;
/** Number of documents that one transaction changes. */
const PAID_MAX = 8;
const COVERED_MAX = 5;
const UNEXPECTED_MAX = 10;
/** The statuses of a call that was rolled back. */
const ROLLED_BACK = [500, 503];

/** One acknowledged change: the n-th change of this writer. */
export interface Acknowledged {
  /** The document of the call. Others may have changed with it. */
  readonly documentId: number;
  /** By `performance.now()`, in milliseconds. */
  readonly at: number;
}

interface Issued {
  readonly id: number;
  readonly visibleId: string;
  /** The open amount that the writer expects. For a receipt, the unallocated amount. */
  readonly open: number;
}

/** The purpose for which a document is kept. */
type Kind = 'invoices' | 'orders' | 'receipts' | 'numbered' | 'settled';

/**
 * Issues and changes documents, one call after the other. No other writer changes its documents, so its n-th
 * acknowledged change is the n-th transaction that changed them.
 */
export class FeedWriter {
  readonly acknowledged: Acknowledged[] = [];
  readonly issued = new Set<number>();
  /** Unexpected answers. Only the first are kept. */
  readonly unexpected: string[] = [];
  refused = 0;
  private readonly kept: Record<Kind, Issued[]> = {
    invoices: [],
    orders: [],
    receipts: [],
    numbered: [],
    settled: [],
  };

  /** @param isolated whether its commits are delayed for long, so that it needs a company of its own */
  constructor(
    private readonly company: Company,
    private readonly isolated = false,
  ) {}

  async writeUntil(isOver: () => boolean): Promise<void> {
    const ways: readonly [weight: number, way: () => Promise<boolean>][] = [
      [24, () => this.issueInvoice()],
      [10, () => this.issueOrder()],
      [6, () => this.issueReceipt()],
      [24, () => this.payInvoices()],
      [12, () => this.allocate()],
      [12, () => this.close()],
      [8, () => this.cancel()],
      [10, () => this.assignNumber()],
      [6, () => this.coverOrders()],
      [6, () => this.credit()],
    ];
    const all = ways.flatMap(([weight, way]) => Array.from({ length: weight }, () => way));
    while (!isOver()) {
      const done = await all[oneOf(all.length)]?.();
      if (!done) await this.issueInvoice();
    }
  }

  private async issueInvoice(): Promise<boolean> {
    const quantity = 1 + oneOf(4);
    const issued = await this.issue('tax-invoice', { items: [this.item(quantity)] });
    if (issued) this.keep(chance(0.3) ? 'numbered' : 'invoices', issued);
    return true;
  }

  private async issueOrder(): Promise<boolean> {
    const type = chance(0.5) ? 'order' : 'quote';
    const issued = await this.issue(type, { items: [this.item(1)] });
    if (issued) this.keep('orders', issued);
    return true;
  }

  private async issueReceipt(): Promise<boolean> {
    const amount = 50 + oneOf(300);
    const issued = await this.issue('receipt', { payments: [{ method: 'CASH', amount }] });
    if (issued) this.keep('receipts', { ...issued, open: amount });
    return true;
  }

  /** Creates a receipt for several invoices, so that one transaction changes many documents. */
  private async payInvoices(): Promise<boolean> {
    const paid = this.take('invoices', 1 + oneOf(PAID_MAX));
    if (paid.length === 0) return false;
    const allocations = paid.map(({ id, open }) => ({ documentId: id, amount: chance(0.3) ? open : 1 }));
    const amount = allocations.reduce((sum, one) => sum + one.amount, 0);
    const issued = await this.issue('receipt', { payments: [{ method: 'CASH', amount }], allocations });
    if (!issued) return true;
    this.keep('settled', issued);
    paid.forEach((one, index) => {
      const open = one.open - (allocations[index]?.amount ?? 0);
      if (open > 0) this.keep('invoices', { ...one, open });
    });
    return true;
  }

  private async allocate(): Promise<boolean> {
    const [receipt] = this.take('receipts', 1);
    const [invoice] = receipt ? this.take('invoices', 1) : [];
    if (!receipt || !invoice) {
      if (receipt) this.keep('receipts', receipt);
      return false;
    }
    const amount = Math.min(receipt.open, invoice.open, 1 + oneOf(60));
    const allocations = [{ documentId: invoice.id, amount }];
    const answer = await this.company.post('/documents/allocate', { receiptId: receipt.id, allocations });
    if (!this.changed(answer, 200, receipt.id)) return true;
    if (receipt.open > amount) this.keep('receipts', { ...receipt, open: receipt.open - amount });
    else this.keep('settled', receipt);
    if (invoice.open > amount) this.keep('invoices', { ...invoice, open: invoice.open - amount });
    return true;
  }

  private close(): Promise<boolean> {
    return this.act(chance(0.7) ? 'invoices' : 'orders', (visibleId) => [`close/${visibleId}`, {}]);
  }

  private cancel(): Promise<boolean> {
    return this.act('settled', (visibleId) => [`cancel/${visibleId}`, { reason: 'by mistake' }]);
  }

  private assignNumber(): Promise<boolean> {
    const allocationNumber = `${100_000_000 + oneOf(900_000_000)}`;
    return this.act('numbered', (visibleId) => [
      `approval-number/${visibleId}`,
      { approvalNumber: allocationNumber },
    ]);
  }

  /** Creates an invoice that covers orders. */
  private async coverOrders(): Promise<boolean> {
    const covered = this.take('orders', 1 + oneOf(COVERED_MAX));
    if (covered.length === 0) return false;
    const linkedDocumentIds = covered.map(({ id }) => id);
    const issued = await this.issue('tax-invoice', { items: [this.item(1)], linkedDocumentIds });
    if (issued) this.keep('invoices', issued);
    return true;
  }

  private async credit(): Promise<boolean> {
    const [credited] = this.take('invoices', 1);
    if (!credited) return false;
    const item = { ...this.item(1), unitPrice: 1 };
    const issued = await this.issue('refund', { items: [item], refundOf: credited.id });
    if (issued) this.keep('settled', issued);
    return true;
  }

  private async act(
    kind: Kind,
    action: (visibleId: string) => readonly [path: string, body: object],
  ): Promise<boolean> {
    const [document] = this.take(kind, 1);
    if (!document) return false;
    const [path, body] = action(document.visibleId);
    this.changed(await this.company.post(`/documents/${path}`, body), 200, document.id);
    return true;
  }

  private async issue(type: string, content: object): Promise<Issued | null> {
    const notes = this.notes();
    const body = { entityId: this.company.entityId, ...content, ...(notes === null ? {} : { notes }) };
    const answer = await this.company.post(`/documents/create/${type}`, body);
    const at = performance.now();
    if (answer.status !== 201) {
      this.changed(answer, 201, 0);
      return null;
    }
    const { id, visibleId, totalWithTax } = read<Issued & { totalWithTax: number }>(answer);
    this.issued.add(id);
    this.acknowledged.push({ documentId: id, at });
    return { id, visibleId, open: totalWithTax };
  }

  /** Records the result of a call: changed, or rolled back. */
  private changed(answer: Answer, expected: number, documentId: number): boolean {
    if (answer.status === expected) {
      this.acknowledged.push({ documentId, at: performance.now() });
      return true;
    }
    this.refused += 1;
    if (!ROLLED_BACK.includes(answer.status) && this.unexpected.length < UNEXPECTED_MAX) {
      this.unexpected.push(`${answer.status}: ${answer.text}`);
    }
    return false;
  }

  private item(quantity: number): object {
    return { description: 'Consulting', quantity, unitPrice: UNIT_PRICE };
  }

  /** Returns the notes that control the triggers (`feed-log.ts`). */
  private notes(): string | null {
    if (this.isolated) return chance(0.3) ? `hold:${100 + oneOf(200)}` : null;
    if (chance(0.92)) return null;
    return ['refuse', 'fragile', 'contend', `hold:${1 + oneOf(20)}`][oneOf(4)] ?? null;
  }

  private keep(kind: Kind, document: Issued): void {
    const kept = this.kept[kind];
    if (kept.length < KEPT_MAX) kept.push(document);
    else kept[oneOf(KEPT_MAX)] = document;
  }

  private take(kind: Kind, count: number): Issued[] {
    const kept = this.kept[kind];
    return Array.from({ length: Math.min(count, kept.length) }, () =>
      kept.splice(oneOf(kept.length), 1),
    ).flat();
  }
}
