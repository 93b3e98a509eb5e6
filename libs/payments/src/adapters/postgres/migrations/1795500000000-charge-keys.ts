import { Migration, type QueryRunner } from '@counterfoil/database';

const BATCH = 10_000;

/**
 * Moves the idempotency keys of charges and recurring payments to the table of all other calls. A key that
 * the company has also used for a document stays with the document.
 *
 * Runs without a transaction. First, the old columns stop accepting keys. Then the keys are copied in
 * batches, while charges continue. A process of the previous version does not know the new table, so it
 * answers calls with a key with 503 from then on. It still writes the columns, so they are marked as retired,
 * and a later migration removes them.
 */
export class ChargeKeys1795500000000 extends Migration {
  override readonly name = 'ChargeKeys1795500000000';
  readonly transaction = false;

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(REFUSE_KEY);
    for (const table of ['charge_operations', 'recurring_payments']) {
      await runner.query(`
        create or replace trigger refuse_key before insert on ${table} for each row
          when (new.idempotency_key is not null) execute function refuse_charge_key()`);
      for (const column of ['idempotency_key', 'fingerprint'])
        await runner.query(`comment on column ${table}.${column} is 'retired: see idempotency_keys'`);
    }
    await copyInBatches(runner, 'charge_operations', COPY_OPERATIONS);
    await copyInBatches(runner, 'recurring_payments', COPY_RECURRING_PAYMENTS);
  }
}

// The SQLSTATE of a server that accepts no connections now. The service answers it with 503 and Retry-After.
const REFUSE_KEY = `
  create or replace function refuse_charge_key() returns trigger language plpgsql as $$
   begin
     raise exception 'idempotency keys are kept elsewhere since an update' using errcode = '57P03';
   end $$`;

/** The longest retention that can be configured. Older keys would be purged at once. */
const RECENT = `idempotency_key is not null and created_at > now() - interval '365 days' and id > $1 and id <= $2`;

const COPY_OPERATIONS = `
  insert into idempotency_keys (company_id, key, fingerprint, resource_id, created_at)
  select company_id, idempotency_key, fingerprint, id, created_at from charge_operations where ${RECENT}
  on conflict do nothing`;

const COPY_RECURRING_PAYMENTS = `
  insert into idempotency_keys (company_id, key, fingerprint, response, created_at)
  select company_id, idempotency_key, fingerprint, '{"success":true,"recurringPaymentId":' || id || '}', created_at
    from recurring_payments where ${RECENT}
  on conflict do nothing`;

/** Ids ascend, and rows inserted from now on have no key, so one pass is enough. */
async function copyInBatches(runner: QueryRunner, table: string, copy: string): Promise<void> {
  const [last] = (await runner.query(`select coalesce(max(id), 0)::text as id from ${table}`)) as [
    { id: string },
  ];
  for (let from = 0; from < Number(last.id); from += BATCH) await runner.query(copy, [from, from + BATCH]);
}
