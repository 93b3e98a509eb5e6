import type { TestDatabase } from '@counterfoil/test-harness';

/**
 * A text that identifies a state of a document. Here it is built from the columns, in `stateOf` from a row of
 * the feed.
 */
const STATE = `concat_ws('|',
  to_char(new.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), new.status,
  trim_scale(new.remaining_amount)::text, trim_scale(new.covered_amount)::text,
  coalesce(new.tax_authority_approval_number, '-'), new.cancelled::text)`;

/**
 * Triggers that record all commits independently of the feed. They also delay and refuse commits, as the
 * notes of the document request: `hold:12` delays the commit by 12 ms, `refuse` refuses the document,
 * `fragile` refuses every second change of it, `contend` sometimes fails like a conflict.
 */
const LOG = [
  `create table trial_log (
    sequence bigint generated always as identity primary key,
    company_id bigint not null, document_id bigint not null, transaction bigint not null, state text not null)`,
  `create function trial_note() returns trigger language plpgsql as $$
   begin
     insert into trial_log (company_id, document_id, transaction, state)
       values (new.company_id, new.id, txid_current(), ${STATE});
     return null;
   end $$`,
  'create trigger trial_note after insert or update on documents for each row execute function trial_note()',
  `create function trial_commit() returns trigger language plpgsql as $$
   begin
     if new.notes like 'hold:%' then
       perform pg_sleep(split_part(new.notes, ':', 2)::float / 1000);
     elsif new.notes = 'refuse' or (new.notes = 'fragile' and tg_op = 'UPDATE' and random() < 0.5) then
       raise 'refused at the commit';
     elsif new.notes = 'contend' and random() < 0.4 then
       raise 'in conflict at the commit' using errcode = '40001';
     end if;
     return null;
   end $$`,
  `create constraint trigger trial_commit after insert or update on documents deferrable initially deferred
    for each row when (new.notes is not null) execute function trial_commit()`,
];

export async function startLog(database: TestDatabase): Promise<void> {
  for (const statement of LOG) await database.query(statement);
}

/** One committed transaction: the documents of one company that it changed, each with its last state. */
export interface CommittedTransaction {
  readonly documents: readonly { readonly id: number; readonly state: string }[];
}

/** Returns the committed transactions of a company, in the order in which they wrote. */
export async function committedTransactions(
  database: TestDatabase,
  companyId: number,
): Promise<CommittedTransaction[]> {
  return database.query<{ documents: { id: number; state: string }[] }>(
    `select json_agg(json_build_object('id', document_id, 'state', state) order by sequence) as documents
       from (select distinct on (transaction, document_id) * from trial_log where company_id = $1
              order by transaction, document_id, sequence desc) last
      group by transaction order by min(sequence)`,
    [companyId],
  );
}

/** The fields of a feed row that the trial uses. The others are compared as text. */
export interface FeedRow {
  readonly id: number;
  readonly visibleId: string;
  readonly updatedAt: string;
  readonly status: string;
  readonly remainingAmount: number;
  readonly coveredAmount: number;
  readonly taxAuthorityApprovalNumber: string | null;
  readonly cancelled: boolean;
}

export function stateOf(row: FeedRow): string {
  const { updatedAt, status, remainingAmount, coveredAmount, taxAuthorityApprovalNumber, cancelled } = row;
  return [
    updatedAt,
    status,
    remainingAmount,
    coveredAmount,
    taxAuthorityApprovalNumber ?? '-',
    cancelled,
  ].join('|');
}

/** Returns the documents of a company as feed rows, directly from the table. */
export function tableRows(database: TestDatabase, companyId: number): Promise<FeedRow[]> {
  const time = (column: string) => `to_char(d.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return database.query<FeedRow & Record<string, unknown>>(
    `select d.id::int as id, d.id::int as "documentId", d.visible_id::text as "visibleId", d.type,
            d.number::int as number, d.external_id as "externalId", d.entity_id::int as "entityId",
            d.retainer_id::int as "retainerId", d.issue_date::text as "issueDate", d.due_date::text as "dueDate",
            d.currency, d.amount::float8 as amount, d.tax::float8 as tax, d.total_with_tax::float8 as "totalWithTax",
            (d.total_with_tax - d.amount - d.tax)::float8 as rounding,
            d.status, d.status in ('OPEN', 'PARTIALLY_PAID') as "isOpen",
            d.remaining_amount::float8 as "remainingAmount", d.covered_amount::float8 as "coveredAmount",
            d.tax_authority_approval_number as "taxAuthorityApprovalNumber",
            d.approval_number_status as "approvalNumberStatus", d.cancelled,
            d.cancellation_reason as "cancellationReason", d.refund_of::int as "refundOf", d.notes,
            case when d.period_from is not null
              then json_build_object('from', d.period_from, 'until', d.period_until) end as period,
            ${time('created_at')} as "createdAt", ${time('updated_at')} as "updatedAt"
       from documents d where d.company_id = $1 order by d.id`,
    [companyId],
  );
}
