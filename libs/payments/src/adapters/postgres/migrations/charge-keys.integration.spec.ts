import { createDatabaseBefore, type DatabaseBefore } from '@counterfoil/test-harness';
import { ChargeKeys1795500000000 } from './1795500000000-charge-keys';

const PRINT = `decode('0a', 'hex')`;
const MADE = `'2026-11-20T10:00:00Z'::timestamptz`;

describe('the migration of idempotency keys of charges and recurring payments', () => {
  let database: DatabaseBefore;
  const rows = (sql: string) => database.runner.query(sql) as Promise<Record<string, unknown>[]>;

  beforeAll(async () => {
    database = await createDatabaseBefore(ChargeKeys1795500000000);
    await rows(`insert into companies (name, created_at) values ('Acme', now()), ('Other', now())`);
    await rows(`
      insert into payment_methods (company_id, provider, sealed_token, brand, last4, expiry_month,
        expiry_year, saved, created_at)
      select id, 'sandbox', 'x', 'visa', '4242', 1, 2030, true, now() from companies`);
    await rows(`
      insert into charges (company_id, payment_method_id, amount, currency, status, created_at, updated_at)
      select company_id, id, 10, 'ILS', 'PENDING', ${MADE}, ${MADE} from payment_methods`);
    await rows(`
      insert into charge_operations (company_id, charge_id, kind, amount, provider_key, state, idempotency_key,
        fingerprint, next_attempt_at, created_at)
      select c.company_id, c.id, 'SALE', 10, gen_random_uuid(), 'PENDING', key,
             case when key is not null then ${PRINT} end, ${MADE}, ${MADE}
        from charges c cross join unnest(array['order', 'document', null]) key`);
    await rows(`
      insert into schedules (company_id, kind, interval, first_run_date, next_run_date)
      select id, 'RECURRING_PAYMENT', 'MONTHLY', '2999-01-31', '2999-01-31' from companies`);
    await rows(`
      insert into recurring_payments (id, company_id, payment_method_id, amount, currency, idempotency_key, fingerprint,
        created_at)
      select s.id, s.company_id, m.id, 10, 'ILS', 'rent', ${PRINT}, ${MADE}
        from schedules s join payment_methods m using (company_id)`);
    await rows(`
      insert into idempotency_keys (company_id, key, fingerprint, response, created_at)
      select id, 'document', decode('0b', 'hex'), '{"success":true}', ${MADE} from companies where name = 'Acme'`);
    await new ChargeKeys1795500000000().up(database.runner);
    // An interrupted migration is run again.
    await new ChargeKeys1795500000000().up(database.runner);
  });
  afterAll(() => database.drop());

  it('keeps each key of each company with its operation, and leaves the key of a document unchanged', async () => {
    expect(
      await rows(`
        select c.name, k.key, encode(k.fingerprint, 'hex') as print, o.idempotency_key is not distinct from k.key as begun,
               k.response is not null as answered, k.created_at = ${MADE} as dated
          from idempotency_keys k join companies c on c.id = k.company_id
          left join charge_operations o on o.id = k.resource_id and o.company_id = k.company_id
         order by c.id, k.key`),
    ).toEqual([
      { name: 'Acme', key: 'document', print: '0b', begun: false, answered: true, dated: true },
      { name: 'Acme', key: 'order', print: '0a', begun: true, answered: false, dated: true },
      { name: 'Acme', key: 'rent', print: '0a', begun: false, answered: true, dated: true },
      { name: 'Other', key: 'document', print: '0a', begun: true, answered: false, dated: true },
      { name: 'Other', key: 'order', print: '0a', begun: true, answered: false, dated: true },
      { name: 'Other', key: 'rent', print: '0a', begun: false, answered: true, dated: true },
    ]);
  });

  it('lets a process of the previous version write rows without keys, and makes it refuse keys as unavailable', async () => {
    const insert = (key: string) =>
      rows(`
        insert into charge_operations (company_id, charge_id, kind, amount, provider_key, state, idempotency_key,
          fingerprint, next_attempt_at, created_at)
        select company_id, id, 'SALE', 10, gen_random_uuid(), 'PENDING', ${key},
               case when ${key} is not null then ${PRINT} end, now(), now() from charges limit 1`);
    await insert('null');
    await expect(insert(`'new'`)).rejects.toMatchObject({ driverError: { code: '57P03' } });
    await rows(`update charge_operations set attempts = attempts + 1`);
  });

  it('returns the same response for a recurring payment as before', async () => {
    expect(
      await rows(`
        select k.response = '{"success":true,"recurringPaymentId":' || p.id || '}' as same
          from idempotency_keys k join recurring_payments p using (company_id) where k.key = 'rent'`),
    ).toEqual([{ same: true }, { same: true }]);
  });
});
