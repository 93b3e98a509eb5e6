import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMPANY_TABLES } from '@counterfoil/schema';
import { type TestService, startApiService, type TestCompany, until } from '@counterfoil/test-harness';
import { rowsOfCompany } from './company-rows';
import { type Company, furnish } from './furnished-company';
import { mountDisk, unmountDisk, whereItMayMount } from './test-disk';
import { storedIn, upload } from './uploads';

interface Manifest {
  readonly format: string;
  readonly version: number;
  readonly company: object;
  readonly tables: readonly {
    readonly table: string;
    readonly file: string;
    readonly rows: number;
    readonly sha256: string;
    readonly leftOut: Readonly<Record<string, string>>;
  }[];
  readonly notExported: readonly { readonly table: string; readonly reason: string }[];
  readonly files: { readonly count: number; readonly faulty: number; readonly faults: readonly object[] };
}

jest.setTimeout(240_000);

let service: TestService;
let company: Company & TestCompany;
let folder: string;

beforeAll(async () => {
  service = await startApiService({ OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32' });
  const created = await service.createCompany('Exported');
  company = { ...created, ...(await furnish(service.url, created.ownerKey)) };
  await upload(service.url, 'hello', { fileName: '../../etc/passwd.PDF', key: created.ownerKey });
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-export-'));
  await until('the last request in the log', async () => {
    const { request_log: requests = [] } = await rowsOfCompany(service.database, company.companyId);
    return requests.filter((row) => row.includes('/files/upload')).length === 2;
  });
});
afterAll(async () => {
  await service.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const exportOf = (companyId: number | string, to: string): string[] => [
  ...['company:export', '--company', String(companyId), '--out', to],
];

const exporting = (name: string, companyId: number | string = company.companyId) =>
  service.runAdmin(...exportOf(companyId, path.join(folder, name)));

/** In a process of its own, which can be interrupted. */
const startExport = (name: string) =>
  service.startAdmin(exportOf(company.companyId, path.join(folder, name)), {});

const read = (name: string, file: string) => fs.readFileSync(path.join(folder, name, file), 'utf8');
const linesOf = (name: string, table: string) =>
  read(name, `tables/${table}.jsonl`)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const manifestOf = (name: string) => JSON.parse(read(name, 'manifest.json')) as Manifest;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function everyFileIn(place: string): string[] {
  return fs
    .readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

describe('company:export', () => {
  it('writes every row and every file of the company, with their checksums', async () => {
    const { code, output, errors } = await exporting('whole');
    expect({ code, errors: code === 0 ? '' : errors }).toEqual({ code: 0, errors: '' });
    const manifest = manifestOf('whole');
    expect(manifest).toMatchObject({
      ...{ format: 'counterfoil-company-export', version: 1 },
      company: { id: company.companyId, name: 'Exported' },
      files: { count: 2, deleted: 0, faulty: 0, faults: [] },
    });
    expect(JSON.parse(output)).toMatchObject({ tables: manifest.tables.length, files: 2, deleted: 0 });
    const named = [...manifest.tables, ...manifest.notExported].map(({ table }) => table);
    expect(named.sort()).toEqual(COMPANY_TABLES.map(({ table }) => table).sort());

    const rows = await rowsOfCompany(service.database, company.companyId);
    for (const { table, file, rows: count, sha256: sum } of manifest.tables) {
      const expected = table.startsWith('audit') ? count : rows[table]?.length;
      expect({ table, rows: count, lines: linesOf('whole', table).length }).toEqual({
        ...{ table, rows: expected, lines: expected },
      });
      expect(sha256(fs.readFileSync(path.join(folder, 'whole', file)))).toBe(sum);
    }
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: path.join(folder, 'whole') });
    expect(linesOf('whole', 'documents').find(({ id }) => id === company.document.id)).toMatchObject({
      ...{ company_id: company.companyId, total_with_tax: 118, currency: 'ILS' },
    });
    for (const { id, sha256: sum, file_name: name } of linesOf('whole', 'files')) {
      const copied = fs
        .readdirSync(path.join(folder, 'whole/files'))
        .find((file) => file.startsWith(`${String(id)}.`));
      expect({ name, copied }).toEqual({ name, copied: `${String(id)}.pdf` });
      expect(sha256(fs.readFileSync(path.join(folder, 'whole/files', copied ?? '')))).toBe(sum);
    }
  });

  it('contains no secret, and only the operator may read it', async () => {
    const secrets = await service.database.query<{ secret: string }>(
      `select encode(key_hash, 'hex') as secret from api_keys
       union all select secret_sealed from webhook_endpoints union all select sealed_token from payment_methods
       union all select page_key from payment_pages union all select storage_key from files
       union all select provider_key::text from charge_operations`,
    );
    expect(secrets.length).toBeGreaterThan(8);
    const files = everyFileIn(path.join(folder, 'whole'));
    const texts = files.map((file) => fs.readFileSync(file, 'latin1')).join('\n');
    expect(secrets.filter(({ secret }) => texts.includes(secret))).toEqual([]);
    expect(files.filter((file) => (fs.statSync(file).mode & 0o077) !== 0)).toEqual([]);
    const leftOut = manifestOf('whole').tables.flatMap(({ table, leftOut: names }) =>
      Object.keys(names).map((name) => `${table}.${name}`),
    );
    expect(leftOut).toEqual(expect.arrayContaining(['api_keys.key_hash', 'files.storage_key']));
  });

  it('is recorded before it begins, although it changes nothing', async () => {
    const [operation] = await service.database.query(
      `select operation, operator, result from company_operations where company_id = $1 order by id limit 1`,
      [company.companyId],
    );
    expect(operation).toMatchObject({ operation: 'export', result: { files: 2 } });
    const [entry] = await service.database.query<{ count: number }>(
      `select count(*)::int as count from audit_staged
        where company_id = 0 and entity = 'company_operation' and action = 'create'
          and split_part(acting, ' ', 1) = 'command:company:export'`,
    );
    expect(entry?.count).toBeGreaterThan(0);
  });

  it('refuses folders that it cannot fill, and unknown companies, and leaves everything as it was', async () => {
    fs.mkdirSync(path.join(folder, 'used'));
    fs.writeFileSync(path.join(folder, 'used/mine.txt'), 'mine');
    fs.writeFileSync(path.join(folder, 'a-file'), '');
    const outcomes = [
      await exporting('whole'),
      await exporting('used'),
      await exporting('a-file'),
      await exporting('a-file/below'),
      await exporting('unknown', 999_999),
      await exporting('zero', 0),
      await exporting('text', 'Exported'),
      await service.runAdmin('company:export', '--company', String(company.companyId)),
    ];
    const messages = [
      /\/whole is not empty: name a new folder/,
      /\/used is not empty/,
      /\/a-file cannot be written: ENOTDIR/,
      /\/a-file\/below cannot be written: ENOTDIR/,
      /there is no company 999999/,
      /there is no company 0/,
      /--company must be a number/,
      /--out is required/,
    ];
    for (const [at, message] of messages.entries()) {
      expect(outcomes[at]?.errors).toMatch(message);
      expect(outcomes[at]?.code).toBe(1);
    }
    expect(fs.readdirSync(folder).sort()).toEqual(['a-file', 'used', 'whole']);
    expect(fs.readdirSync(path.join(folder, 'used'))).toEqual(['mine.txt']);
  });

  it('leaves a folder of the operator as it was if it refuses', async () => {
    const mine = path.join(folder, 'mine');
    fs.mkdirSync(mine);
    fs.chmodSync(mine, 0o755);
    expect((await exporting('mine', 999_999)).code).toBe(1);
    expect(fs.readdirSync(mine)).toEqual([]);
    expect(fs.statSync(mine).mode & 0o777).toBe(0o755);
    fs.rmdirSync(mine);
  });

  it('fails with the reason if the store refuses to open a file, which says nothing about its bytes', async () => {
    const [some = ''] = storedIn(service);
    const around = path.dirname(some);
    fs.renameSync(around, `${around}.hidden`);
    // As a lost permission would, which root does not notice.
    fs.writeFileSync(around, '');
    const { code, errors } = await exporting('refused');
    fs.rmSync(around);
    fs.renameSync(`${around}.hidden`, around);
    expect({ code, errors }).toEqual({
      code: 1,
      errors: expect.stringMatching(/refused is incomplete: ENOTDIR/) as string,
    });
    expect(fs.existsSync(path.join(folder, 'refused/manifest.json'))).toBe(false);
    const [operation] = await service.database.query<{ result: object }>(
      'select result from company_operations where company_id = $1 order by id desc limit 1',
      [company.companyId],
    );
    expect(operation?.result).toMatchObject({
      complete: false,
      failure: expect.stringMatching(/^ENOTDIR/) as string,
    });
  });

  it('fails, and names the file, if bytes are missing in the store', async () => {
    const [some] = storedIn(service);
    fs.renameSync(some ?? '', `${some}.hidden`);
    const { code, errors } = await exporting('missing');
    fs.renameSync(`${some}.hidden`, some ?? '');
    expect({ code, errors }).toEqual({
      code: 1,
      errors: expect.stringMatching(/missing has faults: the bytes of 1 files? are missing/) as string,
    });
    expect(manifestOf('missing').files).toMatchObject({
      count: 1,
      faulty: 1,
      faults: [{ id: expect.any(Number) as number }],
    });
  });
});

whereItMayMount('company:export to a disk', () => {
  let disk: string;

  beforeEach(() => {
    disk = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-export-disk-'));
  });
  afterEach(() => {
    unmountDisk(disk);
    fs.rmdirSync(disk);
  });

  const exportTo = (name: string) => service.runAdmin(...exportOf(company.companyId, path.join(disk, name)));

  it('that is full fails with the reason, and leaves no manifest', async () => {
    mountDisk(disk, 'size=24k');
    const { code, errors } = await exportTo('full');
    expect({ code, errors }).toEqual({
      code: 1,
      errors: expect.stringMatching(/\/full is incomplete: ENOSPC: no space left on device/) as string,
    });
    expect(fs.existsSync(path.join(disk, 'full/manifest.json'))).toBe(false);
  });

  it('that cannot be written fails with the reason, and records nothing', async () => {
    const count = async () =>
      (await service.database.query(`select 1 from company_operations where operation = 'export'`)).length;
    const before = await count();
    mountDisk(disk, 'ro');
    const { code, errors } = await exportTo('readonly');
    expect({ code, errors }).toEqual({
      code: 1,
      errors: expect.stringMatching(/\/readonly cannot be written: EROFS/) as string,
    });
    expect(await count()).toBe(before);
  });
});

describe('company:export of a company with many rows', () => {
  const ROWS = 200_000;

  beforeAll(async () => {
    await service.database.query(
      `begin;
       set local counterfoil.audit = 'off';
       insert into outbox_events (id, company_id, type, body, created_at, relayed_at)
         select 'evt_large_' || n, ${company.companyId}, 'document.created', repeat('{}', 100), now(), now()
           from generate_series(1, ${ROWS}) as n;
       commit`,
    );
  });

  it('can be interrupted: the folder then has no manifest, and is not used again', async () => {
    const running = startExport('interrupted');
    await until(
      'the rows',
      () => fs.existsSync(path.join(folder, 'interrupted/tables/outbox_events.jsonl')),
      60_000,
      10,
    );
    running.interrupt('SIGINT');
    const { code, errors } = await running.outcome();
    expect({ code, errors }).toEqual({
      code: 1,
      errors: expect.stringMatching(/the export was interrupted/) as string,
    });
    expect(fs.existsSync(path.join(folder, 'interrupted/manifest.json'))).toBe(false);
    const again = await exporting('interrupted');
    expect(again.errors).toMatch(/has an export that was interrupted: remove it, or name another folder/);
    const killed = startExport('killed');
    await until(
      'the rows',
      () => fs.existsSync(path.join(folder, 'killed/tables/outbox_events.jsonl')),
      60_000,
      10,
    );
    await killed.kill();
    expect(fs.existsSync(path.join(folder, 'killed/manifest.json'))).toBe(false);
    const [open] = await service.database.query<{ count: number }>(
      `select count(*)::int as count from company_operations where operation = 'export' and ended_at is null`,
    );
    expect(open?.count).toBe(1);
  });

  it('is a snapshot, while rows are written', async () => {
    const running = startExport('snapshot');
    let isDone = false;
    const outcome = running.outcome().finally(() => (isDone = true));
    let written = 0;
    while (!isDone) {
      await service.database.query(
        `with made as (
           insert into warehouses (company_id, name, created_at) values (${company.companyId}, 'W', now()) returning id
         )
         insert into stock_records (company_id, product_id, warehouse_id, quantity, reserved_quantity, moved_at, created_at)
         select ${company.companyId}, ${company.product.productId}, id, 0, 0, now(), now() from made`,
      );
      written += 1;
      await sleep(2);
    }
    expect((await outcome).code).toBe(0);
    const warehouses = new Set(linesOf('snapshot', 'warehouses').map(({ id }) => id));
    const records = linesOf('snapshot', 'stock_records');
    expect(written).toBeGreaterThan(100);
    expect(records.length).toBeGreaterThan(1);
    expect(records.filter(({ warehouse_id: id }) => !warehouses.has(id))).toEqual([]);
    // Each new warehouse has a stock record, and two of the old ones have one.
    expect(warehouses.size).toBe(records.length + 1);
    expect(linesOf('snapshot', 'outbox_events').length).toBeGreaterThanOrEqual(ROWS);
  });
});
