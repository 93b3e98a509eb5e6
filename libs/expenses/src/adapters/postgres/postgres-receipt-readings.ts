import { milliseconds, purgeInBatches, Sql } from '@counterfoil/database';
import { READER_VERSION } from '@counterfoil/receipt-reader';
import { Injectable } from '@nestjs/common';
import { type DocumentContent, ReceiptReadings } from '../../application/ports/receipt-readings';
import type { ClaimedReading } from '../../application/ports/reading-requests';
import type { ReadingOutcome } from '../../application/ports/reading-outcome';
import { FIND, PURGE, SAVE } from './receipt-readings.sql';

@Injectable()
export class PostgresReceiptReadings extends ReceiptReadings {
  /** @param version of the reader including all its parts */
  constructor(
    private readonly sql: Sql,
    private readonly version = READER_VERSION,
  ) {
    super();
  }

  override async find(content: DocumentContent): Promise<ReadingOutcome | null> {
    const found = await this.sql.first(FIND, { content, version: this.version });
    return found?.outcome ?? null;
  }

  override async save(
    content: DocumentContent,
    outcome: ReadingOutcome,
    claim: ClaimedReading,
  ): Promise<void> {
    if (outcome.stands === 'once') return;
    await this.sql.rows(SAVE, { content, version: this.version, outcome, claim });
  }

  override purge(keptMs: number, signal: AbortSignal): Promise<void> {
    const kept = milliseconds(keptMs);
    return purgeInBatches((batch) => this.sql.rows(PURGE, { kept, batch }), signal);
  }
}
