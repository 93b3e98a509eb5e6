import { managerOf, Sql } from '@counterfoil/database';
import { actingAs, Clock, Transactions } from '@counterfoil/kernel';
import { SetClock, startTestContext, type TestContext } from '@counterfoil/test-harness';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { AuditLogModule } from './audit-log.module';
import { AuditLogReader } from './adapters/audit-log.reader';
import { INSTALLATION } from './audit-entry';
import { NEXT_SEALED } from './audit-log.sql';
import { PurgeAuditLog } from './purge-audit-log';
import { SealAuditLog } from './seal-audit-log';
import { type KnownEntry, type VerifiedChain, VerifyAuditLog } from './verify-audit-log';

const FIRST_PAGE = { limit: 200, offset: 0 };
const OWNER = { actor: 'api-key:7', role: 'owner', requestId: 'req-1' } as const;

let context: TestContext;
let companyId: number;

beforeAll(async () => {
  context = await startTestContext([AuditLogModule]);
});
afterAll(() => context.close());
beforeEach(async () => {
  const sql = `insert into companies (name, created_at) values ('Acme', now()) returning id`;
  [{ id: companyId }] = await change<{ id: number }>(sql);
});

/** Runs SQL in a transaction of the service, on behalf of an owner. */
function change<Row>(sql: string, parameters: unknown[] = []): Promise<[Row, ...Row[]]> {
  const rows = () => context.get(Transactions).run((tx) => managerOf(tx).query(sql, parameters));
  return actingAs(OWNER, rows) as Promise<[Row, ...Row[]]>;
}

const rename = (name: string) => change('update companies set name = $1 where id = $2', [name, companyId]);

const seal = () => context.get(SealAuditLog).execute(new AbortController().signal);

async function entries(filter = {}) {
  await seal();
  return (await context.get(AuditLogReader).list(companyId, filter, FIRST_PAGE)).data;
}

async function verify(known: KnownEntry | null = null) {
  const chains: VerifiedChain[] = [];
  const log = await context.get(VerifyAuditLog).execute(companyId, known, (chain) => chains.push(chain));
  return { ...log, chain: chains[0]! };
}

/** Changes the log as only a superuser can. */
async function tamper(sql: string): Promise<void> {
  await context.database.query(
    `set session_replication_role = replica; ${sql}; reset session_replication_role`,
  );
}

describe('a change', () => {
  it('is recorded with its actor, its role and its request', async () => {
    const [entry] = await entries();
    expect(entry).toMatchObject({
      ...{ position: 1, action: 'create', entity: 'company', entityId: String(companyId) },
      ...{ actor: 'api-key:7', role: 'owner', requestId: 'req-1', before: null },
    });
    expect(entry?.after).toMatchObject({ name: 'Acme', default_vat_rate: 18 });
  });

  it('is recorded with the changed fields before and after', async () => {
    await change(`update companies set name = 'B', tax_id = '5', default_vat_rate = 18 where id = $1`, [
      companyId,
    ]);
    const [entry] = await entries({ action: 'update' });
    expect(entry?.before).toEqual({ name: 'Acme', tax_id: null });
    expect(entry?.after).toEqual({ name: 'B', tax_id: '5' });
  });

  it('is not recorded if nothing changes, or only columns that are not recorded', async () => {
    await rename('Acme');
    const [user] = await change<{ id: number }>(
      `insert into users (company_id, name, created_at) values ($1, 'Dana', now()) returning id`,
      [companyId],
    );
    const key = `insert into api_keys (company_id, user_id, role, key_hash, created_at)
                 values ($1, $2, 'owner', $3, now())`;
    await change(key, [companyId, user.id, Buffer.from(`key of ${companyId}`)]);
    await change('update api_keys set last_used_at = now() where company_id = $1', [companyId]);
    expect(await entries({ action: 'update' })).toEqual([]);
  });

  it('is recorded without secrets', async () => {
    const id = `whe_${companyId}`;
    await change(
      `insert into webhook_endpoints (id, company_id, url, events, secret_sealed, created_at)
       values ($1, $2, 'https://a.example', '{*}', 'sealed-1', now())`,
      [id, companyId],
    );
    await change(`update webhook_endpoints set secret_sealed = 'sealed-2' where id = $1`, [id]);
    await change('delete from webhook_endpoints where id = $1', [id]);
    const [removed, rotated, registered] = await entries({ entity: 'webhook_endpoint' });
    expect(registered?.after).toMatchObject({ secret_sealed: 'hidden', url: 'https://a.example' });
    expect([rotated?.before, rotated?.after]).toEqual([
      { secret_sealed: 'hidden' },
      { secret_sealed: 'hidden' },
    ]);
    expect(removed).toMatchObject({ action: 'delete', after: null });
    expect(JSON.stringify([removed, rotated, registered])).not.toContain('sealed-');
  });

  it('of a part is recorded for the company of its parent', async () => {
    const [product] = await change<{ id: number }>(
      `insert into products (visible_id, company_id, name, sku, is_active, created_at, updated_at)
       values (gen_random_uuid(), $1, 'Paper', $2, true, now(), now()) returning id`,
      [companyId, `sku ${companyId}`],
    );
    await change(
      `insert into product_serials (product_id, serial_number, created_at) values ($1, 'A', now())`,
      [product.id],
    );
    expect(await entries({ entity: 'product_serial' })).toMatchObject([
      { after: { product_id: Number(product.id), serial_number: 'A' } },
    ]);
  });

  it('of a pricelist is recorded for each entry that changed', async () => {
    const [vendor] = await change<{ id: number }>(
      `insert into entities (visible_id, company_id, type, name, tax_id, created_at, updated_at)
       values (gen_random_uuid(), $1, 'vendor', 'Dunder', '', now(), now()) returning id`,
      [companyId],
    );
    const products = await change<{ id: number }>(
      `insert into products (visible_id, company_id, name, sku, is_active, created_at, updated_at)
       select gen_random_uuid(), $1, 'Paper', $2 || number, true, now(), now() from generate_series(1, 3) as number
       returning id`,
      [companyId, `sku ${companyId} `],
    );
    const ids = products.map(({ id }) => id);
    const add = `insert into pricelist_entries (entity_id, product_id, position, pricing_mode, buying_price)
                 select $1, unnest($2::bigint[]), 1, 'fixed', 5`;
    await change(add, [vendor.id, ids]);
    const replace = `${add} on conflict (entity_id, product_id) do update
                     set buying_price = case when excluded.product_id = $3 then 6 else 5 end`;
    await change(replace, [vendor.id, ids.slice(1), ids[2]]);
    await change('delete from pricelist_entries where product_id = $1', [ids[0]]);
    const found = await entries({ entity: 'pricelist_entry' });
    expect(found.map(({ action, actor }) => `${action} ${actor}`)).toEqual(
      ['delete', 'update', 'create', 'create', 'create'].map((action) => `${action} api-key:7`),
    );
    const [removed, updated, added] = found;
    expect(removed?.before).toMatchObject({ entity_id: Number(vendor.id), product_id: Number(ids[0]) });
    expect([updated?.before, updated?.after]).toEqual([{ buying_price: 5 }, { buying_price: 6 }]);
    expect(updated?.entityId).toBe(added?.entityId);
    expect(added).toMatchObject({ before: null, after: { product_id: Number(ids[2]), buying_price: 5 } });
  });

  it('made outside of the service is recorded with the role of the database', async () => {
    await context.database.query('update companies set name = $1 where id = $2', ['By hand', companyId]);
    const [entry] = await entries({ action: 'update' });
    expect(entry).toMatchObject({
      actor: `database:${new URL(context.database.adminUrl).username}`,
      role: null,
    });
  });

  it('that is rolled back is not recorded', async () => {
    const failing = context.get(Transactions).run(async (tx) => {
      await managerOf(tx).query(`update companies set name = 'never' where id = $1`, [companyId]);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await entries({ action: 'update' })).toEqual([]);
  });

  it('does not inherit the actor of an earlier transaction on its connection', async () => {
    await context.get(Transactions).run(async (tx) => {
      await managerOf(tx).query(`update companies set name = 'B' where id = $1`, [companyId]);
    });
    const [entry] = await entries({ action: 'update' });
    expect(entry?.actor).toMatch(/^database:/);
  });

  it('of 10,000 published rates is one entry for each statement', async () => {
    await change(
      `insert into exchange_rates (company_id, currency, date, rate, created_at, updated_at)
       select null, 'USD', date '1990-01-01' + day, 3, now(), now() from generate_series(1, 10000) as day`,
    );
    await seal();
    const { data } = await context
      .get(AuditLogReader)
      .list(INSTALLATION, { entity: 'exchange_rate' }, FIRST_PAGE);
    expect(data.map(({ after }) => after)).toEqual([
      { rates: 10_000, currencies: 1, from_date: '1990-01-02', to_date: '2017-05-19' },
    ]);
  });

  it('is not recorded while the owner of the schema has switched it off, and the service cannot', async () => {
    const off = `set local counterfoil.audit = 'off'`;
    await context.database.query(
      `begin; ${off}; update companies set name = 'migrated' where id = ${companyId}; commit`,
    );
    expect(await entries({ action: 'update' })).toEqual([]);
    await context.get(Transactions).run(async (tx) => {
      await managerOf(tx).query(off);
      await managerOf(tx).query(`update companies set name = 'B' where id = $1`, [companyId]);
    });
    expect(await entries({ action: 'update' })).toHaveLength(1);
  });
});

describe('the log', () => {
  it.each(['audit_log', 'audit_staged', 'audit_removals'])(
    'cannot be changed by the service: %s',
    async (table) => {
      for (const sql of [`update ${table} set company_id = 1`, `delete from ${table}`])
        await expect(change(sql)).rejects.toThrow('the audit log is append-only');
      await expect(context.database.query(`truncate ${table}`)).rejects.toThrow('append-only');
    },
  );

  it('has the changes that were committed between two sealings behind the earlier ones', async () => {
    const later = context.database.hold(`update companies set name = 'later' where id = ${companyId}`);
    await later.ready;
    await change('update companies set name = name where false');
    await entries();
    await later.commit();
    await rename('last');
    const names = (await entries({ action: 'update' })).map(({ after }) => after?.['name']);
    expect(names.reverse()).toEqual(['later', 'last']);
    expect(await verify()).toMatchObject({ faults: 0, unsealed: 0, entries: 3 });
  });

  it('counts the changes that are not sealed yet', async () => {
    await seal();
    await rename('B');
    expect(await verify()).toMatchObject({ entries: 1, unsealed: 1, faults: 0 });
  });

  it('is sealed once by concurrent workers', async () => {
    for (let name = 0; name < 20; name++) await rename(`name ${name}`);
    await Promise.all(Array.from({ length: 8 }, seal));
    await seal();
    expect(await verify()).toMatchObject({ entries: 21, unsealed: 0, faults: 0 });
  });

  it('shows nothing of another company', async () => {
    await seal();
    const others = await context.get(AuditLogReader).list(companyId, {}, FIRST_PAGE);
    expect(others.pagination.total).toBe(1);
  });
});

describe('the check', () => {
  beforeEach(async () => {
    for (const name of ['B', 'C', 'D', 'E']) await rename(name);
    await seal();
  });

  const at = (position: number) => `company_id = ${companyId} and position = ${position}`;

  it.each([
    ['a changed field', (n: number) => `update audit_log set after = '{"name": "X"}' where ${at(n)}`],
    ['a changed actor', (n: number) => `update audit_log set actor = 'api-key:8' where ${at(n)}`],
    ['a changed time', (n: number) => `update audit_log set at = at - interval '1 ms' where ${at(n)}`],
    ['a changed hash', (n: number) => `update audit_log set hash = sha256('x') where ${at(n)}`],
  ])('names the entry with %s', async (_, sql) => {
    await tamper(sql(3));
    expect((await verify()).chain).toMatchObject({ fault: { position: 3, problem: 'tampered' }, entries: 2 });
  });

  it('names a missing entry', async () => {
    await tamper(`delete from audit_log where ${at(3)}`);
    expect((await verify()).chain.fault).toEqual({ position: 3, problem: 'missing' });
  });

  it('names a removed entry whose place was closed', async () => {
    await tamper(`delete from audit_log where ${at(3)}; update audit_log set position = position - 1
                   where company_id = ${companyId} and position > 3`);
    expect((await verify()).chain.fault).toEqual({ position: 3, problem: 'tampered' });
  });

  it('names the first of two exchanged entries', async () => {
    await tamper(`update audit_log set position = -3 where ${at(3)}; update audit_log set position = 3 where ${at(4)};
                  update audit_log set position = 4 where ${at(-3)}`);
    expect((await verify()).chain.fault).toEqual({ position: 3, problem: 'tampered' });
  });

  it('names entries that were cut off, if an earlier check has noted the last one', async () => {
    const { position, hash } = (await verify()).chain;
    await tamper(`delete from audit_log where company_id = ${companyId} and position > 3`);
    expect((await verify()).faults).toBe(0);
    expect((await verify({ position, hash })).chain.fault).toEqual({ position: 4, problem: 'missing' });
  });
});

describe('retention', () => {
  const clock = new SetClock();
  let kept: TestContext;

  beforeAll(async () => {
    const override = (builder: TestingModuleBuilder) => builder.overrideProvider(Clock).useValue(clock);
    kept = await startTestContext([AuditLogModule], override, { AUDIT_RETENTION_YEARS: '2' });
  });
  afterAll(() => kept.close());

  const signal = new AbortController().signal;
  const purge = () => kept.get(PurgeAuditLog).execute(signal);
  const positions = async () => {
    const { data } = await kept.get(AuditLogReader).list(1, {}, FIRST_PAGE);
    return data.map(({ position }) => position);
  };

  it('deletes old entries except the last, and the rest is still chained', async () => {
    clock.set(new Date());
    await kept.database.query(`insert into companies (name, created_at) values ('Acme', now())`);
    for (const name of ['B', 'C']) await kept.database.query('update companies set name = $1', [name]);
    await kept.get(SealAuditLog).execute(signal);
    clock.advance(365 * 86_400_000);
    await purge();
    expect(await positions()).toEqual([3, 2, 1]);
    clock.advance(367 * 86_400_000);
    await purge();
    expect(await positions()).toEqual([3]);
    await kept.database.query('update companies set name = $1', ['D']);
    await kept.get(SealAuditLog).execute(signal);
    const faults: unknown[] = [];
    await kept
      .get(VerifyAuditLog)
      .execute(1, null, ({ entries: checked, fault }) => faults.push([checked, fault]));
    expect(faults).toEqual([[2, null]]);
  });

  it('misses nothing that is deleted during a check', async () => {
    const { database } = kept;
    const [{ id }] = (await database.query<{ id: number }>(
      `insert into companies (name, created_at) values ('Beta', now()) returning id`,
    )) as [{ id: number }];
    for (const name of ['B', 'C', 'D'])
      await database.query('update companies set name = $1 where id = $2', [name, id]);
    await kept.get(SealAuditLog).execute(signal);
    clock.advance(3 * 365 * 86_400_000);
    const sql = kept.get(Sql);
    const rows = sql.rows.bind(sql) as (...call: unknown[]) => Promise<never>;
    const spy = jest.spyOn(sql, 'rows').mockImplementation(async (...call: unknown[]) => {
      if (call[0] !== NEXT_SEALED) return rows(...call);
      spy.mockRestore();
      await purge();
      return rows(...call);
    });
    const chains: VerifiedChain[] = [];
    await kept.get(VerifyAuditLog).execute(id, null, (chain) => chains.push(chain));
    expect(chains).toMatchObject([{ position: 4, entries: 1, fault: null }]);
  });
});
