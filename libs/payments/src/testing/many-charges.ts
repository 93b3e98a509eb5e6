import type { TestDatabase } from '@counterfoil/test-harness';

/** Numbers of rows. */
export interface Amounts {
  readonly cards: number;
  readonly charges: number;
  readonly pages: number;
  readonly recurring: number;
}

/** The values that the filters of tests use. */
export interface ManyCharges {
  /** A card with a tenth of all charges. */
  readonly hotCard: number;
  /** A card with some hundreds of charges. */
  readonly quietCard: number;
}

const DAY = `timestamptz '2026-11-21T10:00:00Z'`;

/**
 * Inserts charges of a year: most succeeded, one in a thousand is pending, some belong to payment pages and
 * recurring payments, half of which have ended. Entities and documents are ids that do not exist.
 */
export async function insertMany(
  database: TestDatabase,
  companyId: number,
  { cards, charges, pages, recurring }: Amounts,
): Promise<ManyCharges> {
  const tables = ['payment_methods', 'payment_pages', 'recurring_payments', 'charges', 'charge_operations'];
  for (const table of tables) await database.query(`alter table ${table} disable trigger all`);
  const [first] = await database.query<{ id: number }>(
    `with made as (
       insert into payment_methods (company_id, provider, sealed_token, brand, last4, expiry_month, expiry_year, saved,
         created_at)
       select $1::bigint, 'sandbox', 'v1.sealed', 'VISA', '4242', 12, 2034, n % 3 > 0, ${DAY}
         from generate_series(1, $2::int) n returning id
     ) select min(id)::int as id from made`,
    [companyId, cards],
  );
  const [page] = await database.query<{ id: number }>(
    `with made as (
       insert into payment_pages (company_id, page_key, provider, amount, currency, description, created_at)
       select $1::bigint, md5($1::bigint::text || 'page' || n) || md5('key' || n), 'sandbox', 25, 'ILS', 'Work ' || n, ${DAY}
         from generate_series(1, $2::int) n returning id
     ) select min(id)::int as id from made`,
    [companyId, pages],
  );
  const [schedule] = await database.query<{ id: number }>(
    `with made as (
       insert into schedules (company_id, kind, interval, first_run_date, next_run_date, ended_at)
       select $1::bigint, 'RECURRING_PAYMENT', 'MONTHLY', '2026-01-01', '2026-12-01', case when n % 2 = 0 then ${DAY} end
         from generate_series(1, $2::int) n returning id
     ) select min(id)::int as id from made`,
    [companyId, recurring],
  );
  await database.query(
    `insert into recurring_payments (id, company_id, payment_method_id, amount, currency, created_at)
     select $3::bigint + n - 1, $1, $4::bigint + n % $5::bigint, 10, 'ILS', ${DAY} from generate_series(1, $2::int) n`,
    [companyId, recurring, schedule!.id, first!.id, cards],
  );
  await database.query(
    `insert into charges (company_id, payment_method_id, payment_page_id, recurring_payment_id, run_date, entity_id,
       document_id, amount, currency, status, captured_amount, failure_code, created_at, updated_at)
     select $1::bigint, case when n % 10 = 0 then $3::bigint else $3::bigint + n % $4::bigint end,
            case when n <= $6::int and n % 2 = 0 then $5::bigint + n - 1 end,
            case when n > $6::int and n <= $6::int + 2 * $8::int then $7::bigint + n % $8::int end,
            case when n > $6::int and n <= $6::int + 2 * $8::int
              then date '2026-01-01' + 31 * ((n - $6::int) / $8::int) end,
            n % 1000, case when n % 10 = 3 then n end, 10, 'ILS', status,
            case when status = 'SUCCEEDED' then 10 else 0 end, case when status = 'FAILED' then 'DECLINED' end,
            at, at
       from (select n, ${DAY} - (($2::int - n) * interval '100 seconds') as at,
                    case when n % 1000 = 7 then 'PENDING' when n % 50 = 1 then 'AUTHORIZED' when n % 20 = 9 then 'FAILED'
                      when n % 100 = 33 then 'CANCELED' else 'SUCCEEDED' end as status
               from generate_series(1, $2::int) n) made`,
    [companyId, charges, first!.id, cards, page!.id, pages, schedule!.id, recurring],
  );
  await database.query(
    `insert into charge_operations (company_id, charge_id, kind, amount, provider_key, state, failure_code,
       next_attempt_at, created_at, settled_at)
     select company_id, id, 'SALE', amount, gen_random_uuid(),
            case status when 'PENDING' then 'PENDING' when 'FAILED' then 'FAILED' else 'SUCCEEDED' end, failure_code,
            created_at, created_at,
            case when status <> 'PENDING' then created_at end
       from charges where company_id = $1`,
    [companyId],
  );
  for (const table of tables) await database.query(`alter table ${table} enable trigger all`);
  return { hotCard: first!.id, quietCard: first!.id + 7 };
}
