import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import S3rver from 's3rver';
import {
  startApiService,
  type AdminOutcome,
  type AdminProcess,
  type TestService,
  type TestCompany,
  until,
} from '@counterfoil/test-harness';
import { rowsOfCompany, suspendedLongAgo, tablesWith } from './company-rows';
import { type Company, furnish, INVOICES, ITEM, sendAs } from './furnished-company';
import { storedIn, upload } from './uploads';

/** In every text that the law does not keep. */
const PERSONAL = 'zqx';
const REASON = 'asked to be forgotten';

interface Erased {
  readonly recordsKeptUntil: string;
  readonly removed: Readonly<Record<string, number>>;
  readonly changed: Readonly<Record<string, number>>;
  readonly kept: Readonly<Record<string, number>>;
}

jest.setTimeout(300_000);

let service: TestService;

beforeAll(async () => {
  service = await startApiService({ OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32' });
});
afterAll(() => service.stop());

const opened = (url: string) => fetch(url).then(({ status }) => status);

/** Creates a company with records of every kind, and with personal data that no law keeps. */
async function furnished(name: string): Promise<Company & TestCompany> {
  const created = await service.createCompany(name);
  const made = await furnish(service.url, created.ownerKey);
  const owner = { url: service.url, ownerKey: created.ownerKey };
  const send = async (method: string, path: string, body: object) => {
    const answer = await sendAs(owner, method, path, body);
    expect(answer.status).toBeLessThan(300);
  };
  const text = (what: string) => `${PERSONAL} ${what}`;
  await send('POST', '/contacts/create', { firstName: text('first'), email: `${PERSONAL}@example.com` });
  await send('POST', '/addresses/create', { street: text('street'), city: text('city') });
  await send('POST', '/vendors/create', { name: text('unused'), taxId: '514000001', type: 'COMPANY' });
  const contacts = {
    email: `${PERSONAL}@example.com`,
    phoneNumber: text('phone'),
    addressId: made.addressId,
  };
  await send('PUT', `/clients/edit/${made.entityVisibleId}`, { ...contacts, name: 'Kept client' });
  await send('POST', '/products/create', { name: text('product'), sku: text('sku') });
  await send('POST', '/warehouses/create', { name: text('warehouse') });
  await send('POST', '/api-keys', { role: 'viewer', userName: text('user'), name: text('key') });
  await send('POST', '/webhooks', { url: `https://127.0.0.1:9/${PERSONAL}`, events: ['*'] });
  await send('POST', '/custom-fields', { name: text('field'), appliesTo: 'vendor', fieldType: 'text' });
  await send('POST', '/gateway/payments/payment-pages', { amount: 1, description: text('page') });
  const { id: documentId } = made.document;
  await send('POST', `/documents/id/${documentId}/share`, { paymentPageId: made.paymentPageId });
  expect(await opened(made.shareUrl)).toBe(200);
  await upload(service.url, text('bytes'), { fileName: `${PERSONAL}.pdf`, key: created.ownerKey });
  await until('the request log of the company', async () => {
    const { request_log: requests = [] } = await rowsOfCompany(service.database, created.companyId);
    return requests.filter((row) => row.includes('/files/upload')).length === 2;
  });
  return { ...created, ...made };
}

const admin = (...args: string[]): Promise<AdminOutcome> => service.runAdmin(...args);

const erasureOf = (companyId: number, name: string): string[] => [
  ...['company:erase', '--company', String(companyId), '--confirm', name, '--reason', REASON],
];

const erase = (companyId: number, name: string, ...more: string[]): Promise<AdminOutcome> =>
  admin(...erasureOf(companyId, name), ...more);

/** In a process of its own, which can be interrupted. */
const startErasure = (companyId: number, name: string): AdminProcess =>
  service.startAdmin(erasureOf(companyId, name), {});

async function suspended(companyId: number): Promise<void> {
  await service.admin('company:suspend', '--company', String(companyId));
  await suspendedLongAgo(service.database, companyId);
}

/** The tables in which the company still has rows. */
const tablesLeft = async (companyId: number) =>
  Object.entries(await rowsOfCompany(service.database, companyId))
    .filter(([, rows]) => rows.length > 0)
    .map(([table]) => table)
    .sort();

/** The results of the erasures of a company, in their order. */
async function resultsOf(companyId: number): Promise<unknown[]> {
  const sql = `select result from company_operations where company_id = $1 and operation = 'erase' order by id`;
  return (await service.database.query<{ result: unknown }>(sql, [companyId])).map(({ result }) => result);
}

const BOOKS = [
  ...['charge_operations', 'charges', 'document_items', 'document_originals', 'document_parties'],
  ...['document_payments', 'document_settlements'],
  ...['documents', 'expenses', 'exchange_rates', 'stock_movements', 'stock_records', 'supplier_invoices'],
];

describe('company:erase', () => {
  it('refuses, and changes nothing, unless the company is suspended for long enough and named', async () => {
    const { companyId } = await service.createCompany('Careful');
    const outcomes = [
      await erase(companyId, 'Careful'),
      await erase(999_999, 'Careful'),
      await erase(0, 'Careful'),
      await admin('company:erase', '--company', String(companyId)),
      await admin('company:erase', '--company', 'Careful', '--confirm', 'Careful'),
    ];
    await service.admin('company:suspend', '--company', String(companyId));
    outcomes.push(await erase(companyId, 'Careful'));
    await suspendedLongAgo(service.database, companyId);
    const before = await rowsOfCompany(service.database, companyId);
    outcomes.push(await erase(companyId, 'careful'));
    outcomes.push(await erase(companyId, 'Careful', '--keep-until', '2030-02-30'));
    outcomes.push(await erase(companyId, 'Careful', '--keep-until', '2020-01-01'));
    const messages = [
      /is not suspended; suspend it first/,
      /there is no company 999999/,
      /there is no company 0/,
      /--confirm is required/,
      /--company must be a number/,
      /may still be ending; erase it after \d{4}-/,
      /--confirm must be the name of company/,
      /--keep-until must be a date/,
      /--keep-until must not be past/,
    ];
    expect(outcomes.map(({ code }) => code)).toEqual(messages.map(() => 1));
    for (const [at, message] of messages.entries()) expect(outcomes[at]?.errors).toMatch(message);
    expect(await rowsOfCompany(service.database, companyId)).toEqual(before);
  });

  it('removes what no law keeps, keeps the books, and touches no other company', async () => {
    const company = await furnished('Forgotten');
    const other = await furnished('Neighbour');
    const otherFiles = await rowsOfCompany(service.database, other.companyId);
    await suspended(company.companyId);
    const before = await rowsOfCompany(service.database, company.companyId);
    const bytesBefore = storedIn(service).length;

    const { code, output, errors } = await erase(company.companyId, 'Forgotten');
    expect({ code, errors: code === 0 ? '' : errors }).toEqual({ code: 0, errors: '' });
    const erased = JSON.parse(output) as Erased;
    expect(erased.removed).toMatchObject({ contacts: 2, api_keys: 3, webhook_endpoints: 2, files: 1 });
    expect(erased.recordsKeptUntil).toBe(`${new Date().getUTCFullYear() + 7}-12-31`);

    expect(await opened(company.shareUrl)).toBe(404);
    expect(erased.removed).toMatchObject({ document_shares: 2, document_share_views: 1 });

    const after = await rowsOfCompany(service.database, company.companyId);
    for (const table of BOOKS.filter((name) => name !== 'charge_operations'))
      expect({ table, rows: after[table] }).toEqual({ table, rows: before[table] });
    expect(after['charge_operations']).toHaveLength(before['charge_operations']?.length ?? 0);
    expect(await tablesLeft(company.companyId)).toEqual(
      [
        ...['audit_log', 'audit_staged', 'companies', 'company_operations', 'cost_counts', 'entities'],
        ...[
          'entity_counts',
          'files',
          'payment_methods',
          'products',
          'storage_usage',
          'supplier_invoice_counts',
        ],
        ...['users', 'warehouses'],
        ...BOOKS,
      ]
        .filter((table) => (after[table]?.length ?? 0) > 0)
        .sort(),
    );
    // The end of the erasure is itself recorded.
    const counts = Object.entries(after)
      .filter(([table, rows]) => rows.length > 0 && table !== 'audit_staged')
      .map(([table, rows]) => [table, rows.length]);
    expect({ ...erased.kept, audit_staged: 0 }).toEqual({
      ...Object.fromEntries(counts),
      audit_staged: 0,
    });
    expect(await resultsOf(company.companyId)).toEqual([erased]);
    expect(after['entities']?.join()).toContain('Kept client');
    expect(after['files']).toHaveLength(1);
    expect(storedIn(service)).toHaveLength(bytesBefore - 1);
    expect(await rowsOfCompany(service.database, other.companyId)).toEqual(otherFiles);
    expect(await opened(other.shareUrl)).toBe(200);
    expect((await sendAs({ url: service.url, ownerKey: other.ownerKey }, 'GET', '/company')).status).toBe(
      200,
    );
    expect((await sendAs({ url: service.url, ownerKey: company.ownerKey }, 'GET', '/company')).status).toBe(
      401,
    );
  });

  it('waits for what the provider and the tax authority have not answered, but first for the suspension', async () => {
    const { companyId, ownerKey } = await service.createCompany('Pending');
    const send = async <T>(path: string, body: object) => {
      const { status, text } = await sendAs({ url: service.url, ownerKey }, 'POST', path, body);
      expect({ path, status: status < 300 ? 'ok' : text }).toEqual({ path, status: 'ok' });
      return JSON.parse(text) as T;
    };
    const slow = { provider: 'sandbox', providerToken: 'tok_timeout' };
    const { tokenId } = await send<{ tokenId: number }>('/gateway/tokens', slow);
    expect(await send('/gateway/charges', { tokenId, amount: 5 })).toMatchObject({ status: 'PENDING' });
    const client = { name: 'Client', taxId: '514000000', type: 'COMPANY' };
    const { clientId } = await send<{ clientId: number }>('/clients/create', client);
    const large = { entityId: clientId, items: [{ ...ITEM, unitPrice: 20_000 }] };
    expect(await send(INVOICES, large)).toMatchObject({ approvalNumberStatus: 'PENDING' });

    const early = await erase(companyId, 'Pending');
    expect(early.errors).toMatch(/is not suspended; suspend it first/);
    await suspended(companyId);
    const refused = await erase(companyId, 'Pending');
    expect(refused.code).toBe(1);
    expect(refused.errors).toMatch(
      /has requests for allocation numbers .* and charges, captures or refunds .*: repeat this later/,
    );
    expect(await resultsOf(companyId)).toEqual([]);

    const worker = await service.startWorkerProcess({ SCHEDULER_INTERVAL: '500ms' });
    const sql = `select 1 from charge_operations where company_id = $1 and state = 'PENDING'
                 union all select 1 from document_approvals where company_id = $1`;
    await until(
      'the answers',
      async () => (await service.database.query(sql, [companyId])).length === 0,
      60_000,
    );
    await worker.kill('SIGTERM');
    expect(await erase(companyId, 'Pending')).toMatchObject({ code: 0 });
    const { documents } = await rowsOfCompany(service.database, companyId);
    expect(documents?.join()).toMatch(/"tax_authority_approval_number":"\d+"/);
  });

  it('stops after a statement when it is interrupted, at once when it is interrupted again, and records how far it came', async () => {
    const { companyId } = await service.createCompany('Interrupted');
    await suspended(companyId);
    /** Interrupts an erasure that waits in a statement. */
    const interrupted = async () => {
      const lock = service.database.hold('lock table company_limits in access exclusive mode');
      await lock.ready;
      const running = startErasure(companyId, 'Interrupted');
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await until(
        'the erasure to wait',
        async () => (await service.database.query(waiting)).length > 0,
        60_000,
      );
      running.interrupt('SIGINT');
      await until('the answer', () => running.progress.includes('interrupt again'));
      return { running, lock };
    };
    const once = await interrupted();
    // As npm does: it passes on what the terminal has already sent.
    once.running.interrupt('SIGINT');
    await once.lock.release();
    const { code, errors } = await once.running.outcome();
    expect({ code, errors }).toEqual({
      code: 1,
      errors: expect.stringMatching(/the erasure was interrupted: repeat the command/) as string,
    });
    const twice = await interrupted();
    await sleep(2_100);
    twice.running.interrupt('SIGINT');
    expect((await twice.running.outcome()).code).toBe(130);
    await twice.lock.release();
    expect(await resultsOf(companyId)).toEqual([
      {
        complete: false,
        failure: expect.stringMatching(/was interrupted/) as string,
        removed: expect.any(Object) as object,
        changed: {},
      },
      null,
    ]);
    expect(await erase(companyId, 'Interrupted')).toMatchObject({ code: 0 });
  });

  it('fails while something still writes, and records what it has removed', async () => {
    const { companyId } = await service.createCompany('Written');
    await suspended(companyId);
    await service.database.query(
      `create function test_write_again() returns trigger language plpgsql as $$
         begin insert into company_limits values (old.*); return null; end $$;
       create trigger test_again after delete on company_limits for each row
         when (old.company_id = ${companyId}) execute function test_write_again();
       insert into company_limits (company_id, name, value) values (${companyId}, 'files', 5)`,
    );
    const { code, errors } = await erase(companyId, 'Written');
    await service.database.query('drop trigger test_again on company_limits');
    expect({ code, errors }).toEqual({
      ...{ code: 1, errors: expect.stringMatching(/something still writes data of company \d+/) as string },
    });
    expect(await resultsOf(companyId)).toEqual([
      {
        complete: false,
        failure: `something still writes data of company ${companyId}: repeat the command`,
        removed: { api_keys: 1, company_limits: 4 },
        changed: { users: 1 },
      },
    ]);
  });

  it('completes while bytes of another company cannot be removed, and not while its own cannot', async () => {
    const [own, other] = [await service.createCompany('Unstuck'), await service.createCompany('Stuck')];
    await upload(service.url, 'a folder in its place', { key: own.ownerKey });
    const keysOf = `select storage_key as key from files where company_id = $1`;
    const [{ key = '' } = {}] = await service.database.query<{ key: string }>(keysOf, [own.companyId]);
    const file = storedIn(service).find((name) => name.endsWith(key)) ?? '';
    /** The store cannot remove a folder. */
    const stuck = path.join(path.dirname(path.dirname(file)), 'ff', 'f'.repeat(key.length));
    for (const place of [file, stuck]) {
      fs.rmSync(place, { force: true });
      fs.mkdirSync(path.join(place, 'x'), { recursive: true });
    }
    await service.database.query(
      `insert into file_uploads (company_id, storage_key, started_at, abandoned_at)
       values ($1, $2, now() - interval '3 hours', now())`,
      [other.companyId, path.basename(stuck)],
    );
    await suspended(own.companyId);
    const failed = await erase(own.companyId, 'Unstuck');
    expect({ code: failed.code, errors: failed.errors.includes(key) }).toEqual({ code: 1, errors: true });
    fs.rmSync(file, { recursive: true });
    expect(await erase(own.companyId, 'Unstuck')).toMatchObject({ code: 0 });
    expect((await rowsOfCompany(service.database, other.companyId))['file_uploads']).toHaveLength(1);
    fs.rmSync(stuck, { recursive: true });
    await service.database.query('delete from file_uploads');
  });

  it('leaves personal data in the audit log only, and adds none to it', async () => {
    await service.database.query(`delete from file_uploads`);
    const company = await furnished('Traceless');
    await suspended(company.companyId);
    const audited = async () => {
      const rows = await rowsOfCompany(service.database, company.companyId);
      return [...(rows['audit_log'] ?? []), ...(rows['audit_staged'] ?? [])].filter((row) =>
        row.includes(PERSONAL),
      );
    };
    const before = await audited();
    expect(before.length).toBeGreaterThan(5);
    const others = await tablesWith(service.database, PERSONAL);
    expect((await erase(company.companyId, 'Traceless')).code).toBe(0);
    expect(await audited()).toEqual(before);
    const rows = await rowsOfCompany(service.database, company.companyId);
    const left = Object.entries(rows).filter(([, texts]) => texts.some((text) => text.includes(PERSONAL)));
    expect(left.map(([table]) => table)).toEqual(['audit_staged']);
    expect(Object.keys(others)).toEqual(expect.arrayContaining(['contacts', 'addresses', 'users']));
  });

  it('is recorded with the operator and the reason, and cannot be undone', async () => {
    const { companyId } = await service.createCompany('Gone');
    const id = String(companyId);
    await suspended(companyId);
    expect((await erase(companyId, 'Gone', '--keep-until', '2099-12-31')).code).toBe(0);
    const [recorded] = await service.database.query<{ after: Record<string, unknown>; acting: string }>(
      `select after, acting from audit_staged
        where entity = 'company_operation' and action = 'create' and after ->> 'operation' = 'erase'
          and (after ->> 'company_id')::bigint = $1 and company_id = 0`,
      [companyId],
    );
    expect(recorded?.acting).toMatch(/^command:company:erase/);
    expect(recorded?.after).toMatchObject({ reason: REASON, operator: expect.stringMatching(/./) as string });
    const refused = [
      await erase(companyId, 'Gone'),
      await admin('company:resume', '--company', id),
      await admin('company:suspend', '--company', id),
      await admin('key:create', '--company', id, '--role', 'owner'),
    ];
    expect(refused.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
    expect(refused.slice(0, 3).map(({ errors }) => / was erased at /.test(errors))).toEqual([
      true,
      true,
      true,
    ]);
    const { output } = await admin('company:list');
    expect(output).toMatch(new RegExp(`^ *${id}  Gone .* erased `, 'm'));
  });
});

describe('a company with files in S3', () => {
  let place: string;
  let storage: S3rver;
  let settings: Readonly<Record<string, string>>;
  let company: TestCompany;

  const objects = () =>
    fs
      .readdirSync(path.join(place, 'receipts'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('_object'));

  const exporting = (folder: string, more: Readonly<Record<string, string>> = {}) =>
    service
      .startAdmin(
        ['company:export', '--company', String(company.companyId), '--out', path.join(place, folder)],
        { ...settings, ...more },
      )
      .outcome();

  beforeAll(async () => {
    place = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-s3-'));
    const options = { port: 0, address: '127.0.0.1', silent: true, directory: place };
    storage = new S3rver({ ...options, configureBuckets: [{ name: 'receipts', configs: [] }] });
    const { port } = await storage.run();
    settings = {
      S3_BUCKET: 'receipts',
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    };
    const api = await service.startApi(settings);
    company = await service.createCompany('In S3');
    for (const content of ['one', 'two']) await upload(api.url, content, { key: company.ownerKey });
  });
  afterAll(async () => {
    await storage.close();
    fs.rmSync(place, { recursive: true, force: true });
  });

  it('is exported with them', async () => {
    const { code, output } = await exporting('export');
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ files: 2, bytes: 6 });
    const files = fs.readdirSync(path.join(place, 'export/files')).sort();
    expect(files.map((name) => fs.readFileSync(path.join(place, 'export/files', name), 'utf8'))).toEqual([
      ...['one', 'two'],
    ]);
  });

  it.each([
    ['gives no access', { S3_ACCESS_KEY_ID: 'NOBODY' }],
    ['has no such bucket', { S3_BUCKET: 'another' }],
  ])('is not exported, rather than without them, if the store %s', async (name, wrong) => {
    const { code, errors } = await exporting(name, wrong);
    expect({ code, errors }).toEqual({
      code: 1,
      errors: expect.stringMatching(/is incomplete: (?!the bytes of)/) as string,
    });
    expect(fs.existsSync(path.join(place, name, 'manifest.json'))).toBe(false);
  });

  it('has their bytes removed by the worker, if the erasure is killed before it has removed them', async () => {
    const { companyId } = company;
    await suspended(companyId);
    let asked = 0;
    const silent = net.createServer(() => (asked += 1)).listen(0, '127.0.0.1');
    await until('the silent store', () => silent.listening);
    const { port } = silent.address() as net.AddressInfo;
    const args = ['company:erase', '--company', String(companyId), '--confirm', 'In S3'];
    const own = { ...settings, S3_ENDPOINT: `http://127.0.0.1:${port}` };
    const running = service.startAdmin(args, own);
    await until('the removal of bytes', () => asked > 0, 60_000);
    await running.kill();
    silent.close();
    expect((await rowsOfCompany(service.database, companyId))['files']).toEqual([]);
    expect(objects()).toHaveLength(2);

    const worker = await service.startWorkerProcess(settings);
    await until('the bytes to be removed', () => objects().length === 0, 60_000);
    await worker.kill('SIGTERM');
    expect(await service.startAdmin(args, settings).outcome()).toMatchObject({ code: 0 });
    expect(await resultsOf(companyId)).toEqual([null, expect.objectContaining({ removed: {} })]);
  });
});

describe('company:erase of a company with many rows', () => {
  const ROWS = 12_000;
  let company: Company & TestCompany;
  let other: Company & TestCompany;

  beforeAll(async () => {
    company = await furnished('Large');
    other = await furnished('Busy');
    await service.database.query(
      `begin;
       set local counterfoil.audit = 'off';
       insert into addresses (company_id, street, city, country, created_at)
         select ${company.companyId}, 'Street ' || n, 'City', 'IL', now() from generate_series(1, ${ROWS}) as n;
       insert into contacts (company_id, first_name, address_id, created_at)
         select company_id, 'First', id, now() from addresses where company_id = ${company.companyId};
       insert into outbox_events (id, company_id, type, body, created_at, relayed_at)
         select 'evt_large_' || n, ${company.companyId}, 'document.created', '{}', now(), now()
           from generate_series(1, ${ROWS}) as n;
       commit`,
    );
    await suspended(company.companyId);
  });

  const count = async (table: string) => {
    const sql = `select count(*)::int as count from ${table} where company_id = $1`;
    return (await service.database.query<{ count: number }>(sql, [company.companyId]))[0]?.count ?? 0;
  };

  it('continues after it was killed, while other companies work, and the audit log stays verifiable', async () => {
    const before = await rowsOfCompany(service.database, other.companyId);
    for (const table of ['contacts', 'addresses', 'outbox_events']) {
      const running = startErasure(company.companyId, 'Large');
      const from = await count(table);
      await until(`${table} to be erased`, async () => (await count(table)) < from, 60_000, 10);
      await running.kill();
      expect(await count(table)).toBeGreaterThan(0);
      const resumed = await admin('company:resume', '--company', String(company.companyId));
      expect(resumed.errors).toMatch(/the erasure of company \d+ has begun/);
    }
    expect(await rowsOfCompany(service.database, other.companyId)).toEqual(before);

    let isDone = false;
    const erasing = erase(company.companyId, 'Large').finally(() => (isDone = true));
    const calls: { status: number; ms: number }[] = [];
    while (!isDone) {
      const startedAt = performance.now();
      const asked = { entityId: other.entityId, items: [ITEM] };
      const owner = { url: service.url, ownerKey: other.ownerKey };
      const { status } = await sendAs(owner, 'POST', INVOICES, asked);
      calls.push({ status, ms: performance.now() - startedAt });
    }
    const { code, output, errors } = await erasing;
    expect({ code, errors: code === 0 ? '' : errors }).toEqual({ code: 0, errors: '' });
    expect((JSON.parse(output) as Erased).kept['documents']).toBe(2);
    expect(calls.length).toBeGreaterThan(10);
    expect(calls.filter(({ status }) => status !== 201)).toEqual([]);
    expect([await count('contacts'), await count('addresses'), await count('outbox_events')]).toEqual([
      0, 0, 0,
    ]);
    expect((await rowsOfCompany(service.database, company.companyId))['documents']).toHaveLength(2);
  });

  it('is verified by audit:verify', async () => {
    const worker = await service.startWorkerProcess();
    await until(
      'all entries to be in the log',
      async () => {
        const [row] = await service.database.query<{ count: number }>(
          'select count(*)::int as count from audit_staged',
        );
        return row?.count === 0;
      },
      60_000,
    );
    await worker.kill('SIGTERM');
    const { code, output } = await admin('audit:verify');
    const lines = output.trim().split('\n');
    expect({ code, ...(JSON.parse(lines.at(-1) ?? '{}') as object) }).toMatchObject({
      code: 0,
      faults: 0,
      unsealed: 0,
    });
    expect(fs.existsSync(service.dataDir)).toBe(true);
  });
});
