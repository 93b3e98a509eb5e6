import { Injectable } from '@nestjs/common';
import { type Disagreement, StockAudit } from './ports/stock-audit';

/** Records checked in one statement. Few, since each may have any number of movements. */
const RECORDS_AT_ONCE = 20;

export interface VerifiedStock {
  readonly records: number;
  readonly movements: number;
  readonly disagreements: number;
}

/**
 * Compares every stock record of every company with its movements: the record must equal their sum, and each
 * movement must start at the end of the previous one. It takes no locks, and movements may go on meanwhile.
 */
@Injectable()
export class VerifyStock {
  constructor(private readonly stock: StockAudit) {}

  async execute(report: (disagreement: Disagreement) => void): Promise<VerifiedStock> {
    const found = { records: 0, movements: 0, disagreements: 0 };
    for (let afterId = 0; ;) {
      const audited = await this.stock.audit(afterId, RECORDS_AT_ONCE);
      found.records += audited.records;
      found.movements += audited.movements;
      found.disagreements += audited.disagreements.length;
      audited.disagreements.forEach(report);
      if (audited.records < RECORDS_AT_ONCE) return found;
      afterId = audited.lastId;
    }
  }
}
