import type { TestDatabase } from '@counterfoil/test-harness';
import type { GivenCompany } from './given-company';

export interface ManyDocuments {
  readonly count: number;
  /** Number of documents changed by one change. */
  readonly perChange: number;
  /** The time of the first change. The others follow at intervals of a second. */
  readonly since: Date;
}

/**
 * Inserts documents of a company without documents by SQL, like an import: of four types and three statuses,
 * issued over two years, with matching change numbers and counts. One in a hundred has no allocation number, and one in
 * a hundred was due in 2025 or 2026.
 */
export async function insertDocuments(
  database: TestDatabase,
  { caller, entityId }: GivenCompany,
  { count, perChange, since }: ManyDocuments,
): Promise<void> {
  await database.query(
    `insert into documents (visible_id, company_id, type, number, external_id, entity_id, issue_date, currency, amount,
         tax, total_with_tax, status, remaining_amount, covered_amount, notes, created_at, updated_at, change_number,
         approval_number_status, due_date)
       select gen_random_uuid(), $1, (array['TAX_INVOICE', 'ORDER', 'QUOTE', 'PROFORMA'])[1 + n % 4], n, 'import-' || n,
         $2, date '2025-01-01' + (n * 7919 % 730)::int, 'ILS', 100, 18, 118,
         (array['OPEN', 'CLOSED', 'OPEN'])[1 + n % 3], 118, 0, 'import ' || n, changed_at, changed_at, change,
         case when n % 100 = 0 then (array['PENDING', 'REFUSED'])[1 + n % 200 / 100] end,
         case when n % 100 = 1 then date '2025-02-01' + (n % 700)::int end
         from (select n, (n - 1) / $4 + 1 as change, $5::timestamptz + (n - 1) / $4 * interval '1 second' as changed_at
                 from generate_series(1, $3::bigint) n) numbered`,
    [caller.companyId, entityId, count, perChange, since],
  );
  await database.query('select count_document_changes($1, (1 + ($2 - 1) / $3) >> 9)', [
    caller.companyId,
    count,
    perChange,
  ]);
}
