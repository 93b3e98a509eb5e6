import { Sql } from '@counterfoil/database';
import { READER_VERSION } from '@counterfoil/receipt-reader';
import { Injectable } from '@nestjs/common';
import { type DocumentContent, ReceiptReadings } from '../../application/ports/receipt-readings';
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

  override async find(content: DocumentContent, now: Date): Promise<ReadingOutcome | null> {
    const [found] = await this.sql.rows<{ outcome: ReadingOutcome }>(
      `select outcome from receipt_readings
        where company_id = $1 and sha256 = $2 and said_as = $3 and reader_version = $4
          and (read_at > $5 or outcome ->> 'stands' = 'lasting')`,
      [...this.key(content), new Date(now.getTime() - BRIEFLY_MS)],
    );
    return found?.outcome ?? null;
  }

  override async save(content: DocumentContent, outcome: ReadingOutcome, now: Date): Promise<void> {
    if (outcome.stands === 'once') return;
    await this.sql.rows(
      `insert into receipt_readings as r (company_id, sha256, said_as, reader_version, outcome, read_at)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (company_id, sha256, said_as, reader_version)
       do update set outcome = excluded.outcome, read_at = excluded.read_at`,
      [...this.key(content), JSON.stringify(outcome), now],
    );
  }

  override async purge(readBefore: Date): Promise<void> {
    await this.sql.rows('delete from receipt_readings where read_at < $1', [readBefore]);
  }

  private key({ companyId, sha256, saidAs }: DocumentContent): readonly unknown[] {
    return [companyId, sha256, saidAs ?? '', this.version];
  }
}
