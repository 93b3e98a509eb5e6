import type { TestDatabase } from '@counterfoil/test-harness';

/** Queries for inconsistencies in a company's documents. Parameter: the company. */
const QUESTIONS: Readonly<Record<string, string>> = {
  'what remains and what is covered do not add up': `
    select id, status, total_with_tax, remaining_amount, covered_amount from documents
     where company_id = $1
       and case when status = 'CANCELLED' then remaining_amount <> 0 or covered_amount <> 0
                else remaining_amount + covered_amount <> total_with_tax end`,
  'the status is not what the amounts say': `
    select id, type, status, total_with_tax, remaining_amount, covered_amount, cancelled from documents
     where company_id = $1
       and not case status
         when 'OPEN' then covered_amount = 0 and (remaining_amount > 0 or total_with_tax = 0)
         when 'PARTIALLY_PAID' then covered_amount > 0 and remaining_amount > 0
         when 'PAID' then remaining_amount = 0
         when 'CLOSED' then true
         else cancelled and cancellation_reason is not null end`,
  'the standing settlements are not what is covered': `
    with taken as (select settled_id as id, sum(amount) as amount from document_settlements
                    where company_id = $1 and reversed_at is null group by 1),
         given as (select settling_id as id, sum(amount) as amount from document_settlements s
                    where company_id = $1 and reversed_at is null group by 1)
    select d.id, d.type, d.status, d.covered_amount, taken.amount as taken, given.amount as given
      from documents d left join taken using (id) left join given using (id)
     where d.company_id = $1 and d.type <> 'TAX_INVOICE_RECEIPT'
       and d.covered_amount <>
           coalesce(case when d.type in ('RECEIPT', 'REFUND', 'RETURN') then given.amount else taken.amount end, 0)`,
  'a settlement of what was cancelled stands': `
    select s.id from document_settlements s join documents d on d.id = s.settling_id
     where s.company_id = $1 and d.cancelled and s.reversed_at is null`,
  'a settlement joins what does not belong together': `
    select s.id from document_settlements s join documents a on a.id = s.settling_id
      join documents b on b.id = s.settled_id
     where s.company_id = $1 and (a.company_id <> $1 or b.company_id <> $1 or a.entity_id <> b.entity_id)`,
  'more is credited than there was': `
    select d.id from documents d join documents c on c.refund_of = d.id and not c.cancelled
     where d.company_id = $1 group by d.id having sum(c.total_with_tax) > d.total_with_tax`,
  'a credit note waits although what it credits is open': `
    select n.id from documents n join documents d on d.id = n.refund_of
     where n.company_id = $1 and n.status in ('OPEN', 'PARTIALLY_PAID') and d.status in ('OPEN', 'PARTIALLY_PAID')
       and n.remaining_amount > 0 and d.remaining_amount > 0`,
  'the counts of changes are not the real ones': `
    with last as (select bucket, documents from document_change_counts where company_id = $1
                  union all select 0, '{}' order by bucket desc limit 1),
         counted as (select c.bucket - 1 as bucket, c.documents from last, unnest(last.documents) with ordinality
                       as c (documents, bucket)),
         since as (select counted_bucket as bucket, count(*) as documents from documents, last
                    where company_id = $1 and change_number >= last.bucket << 9 and counted_bucket is not null
                    group by 1),
         real as (select change_number >> 9 as bucket, count(*) as documents from documents, last
                   where company_id = $1 and change_number < last.bucket << 9 group by 1)
    select bucket, counted.documents as counted, since.documents as since, real.documents as real
      from counted full join since using (bucket) full join real using (bucket)
     where coalesce(counted.documents, 0) - coalesce(since.documents, 0) <> coalesce(real.documents, 0)`,
  'a change has several times': `
    select change_number from documents where company_id = $1 group by 1 having count(distinct updated_at) > 1`,
  'times do not grow with the changes': `
    select id from (select id, updated_at, lag(updated_at) over (order by change_number) as before
                      from documents where company_id = $1) d where updated_at < before`,
  'numbers do not run from one without a gap': `
    select type from documents where company_id = $1 group by type
    having count(*) <> max(number) or min(number) <> 1 or count(distinct number) <> count(*)`,
  'the last that was told of a document is not how it is': `
    with told as (
      select distinct on (body::jsonb #>> '{data,document,id}') body::jsonb #> '{data,document}' as document
        from outbox_events where company_id = $1 order by body::jsonb #>> '{data,document,id}', sequence desc)
    select d.id, d.status, told.document from documents d
      left join told on told.document ->> 'id' = d.visible_id::text
     where d.company_id = $1 and (
       told.document is null or told.document ->> 'status' <> d.status
       or (told.document ->> 'remainingAmount')::numeric <> d.remaining_amount
       or (told.document ->> 'coveredAmount')::numeric <> d.covered_amount
       or (told.document ->> 'cancelled')::boolean <> d.cancelled
       or (told.document ->> 'updatedAt')::timestamptz <> d.updated_at)`,
  'a document is not told of as created exactly once': `
    select d.id from documents d left join outbox_events e
        on e.type = 'document.created' and e.company_id = $1
       and e.body::jsonb #>> '{data,document,id}' = d.visible_id::text
     where d.company_id = $1 group by d.id having count(e.id) <> 1`,
};

/** Returns all inconsistencies in a company's documents. Empty if there are none. */
export async function faultsIn(
  database: TestDatabase,
  companyId: number,
): Promise<Record<string, unknown[]>> {
  const faults: Record<string, unknown[]> = {};
  for (const [fault, sql] of Object.entries(QUESTIONS)) {
    const found = await database.query(sql, [companyId]);
    if (found.length > 0) faults[fault] = found.slice(0, 5);
  }
  return faults;
}

/** Returns all stored data of a company's documents, for comparing before and after. */
export async function wholeOf(database: TestDatabase, companyId: number): Promise<unknown> {
  const tables = [
    'documents',
    'document_items',
    'document_payments',
    'document_settlements',
    'document_approvals',
    'document_change_counts',
    'idempotency_keys',
    'outbox_events',
  ];
  const parts = ['document_items', 'document_payments'];
  const rows = await Promise.all(
    tables.map((table) => {
      const own = parts.includes(table)
        ? 'document_id in (select id from documents where company_id = $1)'
        : 'company_id = $1';
      return database.query(`select t::text as row from ${table} t where ${own} order by 1`, [companyId]);
    }),
  );
  return Object.fromEntries(tables.map((table, index) => [table, rows[index]]));
}
