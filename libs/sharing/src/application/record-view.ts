import { RequestCoalescer, Transactions } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { viewed } from './events';
import type { OpenedShare } from './open-share';
import { Shares } from './ports/shares';

/** The next views are recorded after this time even if one transaction hangs. */
const PATIENCE_MS = 1_000;

/**
 * Counts the views of a link, and reports them: `document.viewed` at most once an hour for each link. Views that arrive
 * while others are being counted are counted together, so that many at once neither wait for one row nor write it for
 * each.
 */
@Injectable()
export class RecordView {
  private readonly batches = new Map<number, RequestCoalescer<OpenedShare, null>>();

  constructor(
    private readonly transactions: Transactions,
    private readonly shares: Shares,
    private readonly outbox: Outbox,
  ) {}

  async execute(opened: OpenedShare): Promise<void> {
    const { id } = opened.share;
    let batch = this.batches.get(id);
    if (!batch) {
      const forget = () => this.batches.delete(id);
      batch = new RequestCoalescer((views) => this.record(views), PATIENCE_MS, forget);
      this.batches.set(id, batch);
    }
    await batch.submit(opened);
  }

  private async record(opened: readonly OpenedShare[]): Promise<readonly null[]> {
    const last = opened.at(-1);
    if (!last) return [];
    const { share, document } = last;
    await this.transactions.run(async (tx) => {
      const views = await this.shares.addViews(tx, share, opened.length);
      if (views.isReportDue) await this.outbox.append(tx, share.companyId, [viewed(document, share, views)]);
    });
    return opened.map(() => null);
  }
}
