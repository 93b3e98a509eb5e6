import { milliseconds, purgeInBatches, Sql } from '@counterfoil/database';
import { READER_VERSION } from '@counterfoil/receipt-reader';
import { Injectable } from '@nestjs/common';
import { type DocumentContent, ReceiptReadings } from '../../application/ports/receipt-readings';
import type { ClaimedReading } from '../../application/ports/reading-requests';
import type { ReadingOutcome } from '../../application/ports/reading-outcome';

/** How long a document over which the reader was lost is not read again. */
const BRIEFLY_MS = 600_000;

@Injectable()
export class PostgresReceiptReadings extends ReceiptReadings {
  /** @param version of the reader, with all that it is made of */
  constructor(
    private readonly sql: Sql,
    private readonly version = READER_VERSION,
  ) {
    super();
  }

  override async find(content: DocumentContent): Promise<ReadingOutcome | null> {
    const [found] = await this.sql.rows<{ outcome: ReadingOutcome }>(
      `select outcome from receipt_readings
        where company_id = $1 and sha256 = $2 and said_as = $3 and reader_version = $4
          and (read_at > statement_timestamp() - $5::interval or outcome ->> 'stands' = 'lasting')`,
      [...this.key(content), milliseconds(BRIEFLY_MS)],
    );
    return found?.outcome ?? null;
  }

  override async save(
    content: DocumentContent,
    outcome: ReadingOutcome,
    { id, claimId }: ClaimedReading,
  ): Promise<void> {
    if (outcome.stands === 'once') return;
    await this.sql.rows(
      `insert into receipt_readings as r (company_id, sha256, said_as, reader_version, outcome, read_at)
       select $1, $2, $3, $4, $5, statement_timestamp()
        where exists (select from reading_requests where id = $6 and claim_id = $7 and outcome is null)
       on conflict (company_id, sha256, said_as, reader_version)
       do update set outcome = excluded.outcome, read_at = excluded.read_at`,
      [...this.key(content), JSON.stringify(outcome), id, claimId],
    );
  }

  override purge(keptMs: number, signal: AbortSignal): Promise<void> {
    return purgeInBatches(
      (batch) =>
        this.sql.rows(
          `delete from receipt_readings r using (
             select ctid from receipt_readings where read_at < statement_timestamp() - $1::interval
              limit $2 for update skip locked) old
            where r.ctid = old.ctid returning 1`,
          [milliseconds(keptMs), batch],
        ),
      signal,
    );
  }

  private key({ companyId, sha256, saidAs }: DocumentContent): readonly unknown[] {
    return [companyId, sha256, saidAs ?? '', this.version];
  }
}
