import type { TestDatabase } from '@counterfoil/test-harness';

const ENTITIES = 50;

/**
 * Inserts documents of a company with all rows that the list and the feed read, as if they had been issued at
 * intervals of two seconds, the last one a day ago.
 */
export async function seedDocuments(
  database: TestDatabase,
  { companyId, count }: { readonly companyId: number; readonly count: number },
): Promise<void> {
  await database.query(
    `insert into entities (visible_id, company_id, is_client, name, tax_id, type, created_at, updated_at)
     select gen_random_uuid(), $1, true, 'Client ' || n, '514000000', 'COMPANY', now(), now()
       from generate_series(1, ${ENTITIES}) n`,
    [companyId],
  );
  await database.query(
    `with clients as (select array_agg(id order by id) as ids from entities where company_id = $1)
     insert into documents (visible_id, company_id, type, number, external_id, entity_id, issue_date, currency, amount,
       tax, total_with_tax, status, remaining_amount, covered_amount, created_at, updated_at, change_number)
     select gen_random_uuid(), $1, case when n % 4 = 0 then 'ORDER' else 'TAX_INVOICE' end, n, 'order-' || n,
            ids[n % ${ENTITIES} + 1], changed_at::date, 'ILS', 100, 18, 118,
            case when n % 3 = 0 then 'PAID' else 'OPEN' end,
            case when n % 3 = 0 then 0 else 118 end, case when n % 3 = 0 then 118 else 0 end, changed_at, changed_at, n
       from clients, generate_series(1, $2::bigint) n,
            lateral (select date_trunc('seconds', now()) - interval '1 day' - ($2::bigint - n) * interval '2 seconds'
                       as changed_at) times`,
    [companyId, count],
  );
  await database.query('select count_document_changes($1, ($2 + 1) >> 9)', [companyId, count]);
  await database.vacuum('documents', 'document_change_counts', 'entities');
}

/** Returns the ISO 8601 time of change of the document at this position in the feed, counted from 1. */
export async function changedAt(database: TestDatabase, companyId: number, place: number): Promise<string> {
  const [row] = await database.query<{ at: Date }>(
    'select updated_at as at from documents where company_id = $1 and change_number = $2',
    [companyId, place],
  );
  if (!row) throw new Error(`no document stands at place ${place}`);
  return row.at.toISOString();
}
