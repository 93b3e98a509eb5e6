import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { queueStores, startProcesses, type ServiceProcesses, until } from '@counterfoil/test-harness';

const ADMIN = path.resolve(__dirname, '../../../dist/apps/admin/src/main.js');

interface Entry {
  readonly entity: string;
  readonly action: string;
  readonly actor: string;
  readonly after: Record<string, unknown> | null;
}

interface Chain {
  readonly companyId: number;
  readonly entries: number;
  readonly position: number;
  readonly hash: string;
  readonly fault: object | null;
}

interface Verified {
  readonly chains: readonly Chain[];
  readonly unsealed: number;
  readonly status: number | null;
  readonly errors: string;
}

jest.setTimeout(180_000);

describe('the audit log', () => {
  let service: ServiceProcesses;

  beforeAll(async () => {
    service = await startProcesses(queueStores()[0]!, {
      SCHEDULER_INTERVAL: '500ms',
    });
  });
  afterAll(() => service.stop());

  /** The entries that have an actor, with the staged ones. */
  const entriesOf = (actor: string) =>
    service.database.query<Entry>(
      `select entity, action, split_part(acting, ' ', 1) as actor, after from audit_staged
        where split_part(acting, ' ', 1) = $1
       union all select entity, action, actor, after from audit_log where actor = $1`,
      [actor],
    );

  const staged = async () => {
    const [row] = await service.database.query<{ count: number }>(
      'select count(*)::int as count from audit_staged',
    );
    return row?.count ?? 0;
  };

  function verify(...options: string[]): Verified {
    const run = spawnSync(process.execPath, [ADMIN, 'audit:verify', ...options], {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: service.database.url,
        SECRETS_KEY: 'test-secrets-key-of-32-characters',
      },
    });
    const lines = run.stdout
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as object);
    const { unsealed } = (lines.at(-1) ?? {}) as { unsealed: number };
    return { chains: lines.slice(0, -1) as Chain[], unsealed, status: run.status, errors: run.stderr };
  }

  const issueRetainer = async () => {
    const client = { name: 'Client', taxId: '514000000', type: 'COMPANY' };
    const { body } = await service.request<{ clientId: number }>('POST', '/clients/create', client);
    const today = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const items = [{ description: 'Support', quantity: 1, unitPrice: 100 }];
    const monthly = { entityId: body.clientId, documentType: 'TAX_INVOICE', interval: 'MONTHLY', items };
    return service.request('POST', '/retainers/create', { ...monthly, nextRunDate: today });
  };

  it('has the changes of jobs, with the name of the job', async () => {
    await issueRetainer();
    await until('the document', async () =>
      (await entriesOf('system:schedule.run')).some(({ entity }) => entity === 'document'),
    );
  });

  it('has the changes of tasks, with the name of the task', async () => {
    const client = { name: 'Vendor', taxId: '514000000', type: 'COMPANY' };
    const { body } = await service.request<{ vendorId: number }>('POST', '/vendors/create', client);
    const fileId = await service.upload('%PDF-1.4 receipt');
    const told = { date: '2024-05-05', total: 10, tax: 0, deductableTax: 0, currency: 'USD' };
    const expense = { vendorId: body.vendorId, fileId, title: 'T', documentNumber: '1', ...told };
    expect((await service.request('POST', '/expenses/create', expense)).status).toBe(201);
    await service.database.query(
      `begin; set local counterfoil.actor = 'command:rates:import';
       insert into exchange_rates (currency, date, rate, created_at, updated_at) values ('USD', '2024-05-05', 3, now(), now());
       insert into rate_arrivals (currency, from_date, to_date, created_at) values ('USD', '2024-05-05', '2024-05-05', now());
       commit`,
    );
    await until('the revaluation', async () =>
      (await entriesOf('system:revalue-expenses')).some(({ entity }) => entity === 'expense'),
    );
  });

  it('has the changes of admin commands, with the name of the command', async () => {
    const made = await service.admin<{ companyId: number }>('company:create', '--name', 'Acme');
    const company = ['--company', String(made.companyId)];
    const key = await service.admin<{ id: number }>('key:create', ...company, '--role', 'viewer');
    await service.admin('key:revoke', '--id', String(key.id));
    await service.admin('company:limits', ...company, '--rate', '100/1s');
    await service.admin('epoch:renew');
    const found = await Promise.all(
      ['company:create', 'key:create', 'key:revoke', 'company:limits', 'epoch:renew'].map(async (name) => {
        const entries = await entriesOf(`command:${name}`);
        return [name, [...new Set(entries.map(({ entity, action }) => `${action} ${entity}`))].sort()];
      }),
    );
    expect(Object.fromEntries(found)).toEqual({
      'company:create': ['create api_key', 'create company', 'create user'],
      'key:create': ['create api_key', 'create user'],
      'key:revoke': ['update api_key'],
      'company:limits': ['create company_limit'],
      'epoch:renew': ['create epoch'],
    });
    expect(await entriesOf('command:migrate')).toContainEqual(
      expect.objectContaining({ entity: 'migration', action: 'create' }),
    );
  });

  it('loses nothing if the API and the worker are killed between a change and its sealing', async () => {
    await service.worker.kill('SIGKILL');
    const names = Array.from({ length: 20 }, (_, count) => `killed ${count}`);
    for (const name of names) await service.request('POST', '/warehouses/create', { name });
    await service.replaceApi();
    expect(await staged()).toBeGreaterThanOrEqual(names.length);
    expect(verify().unsealed).toBeGreaterThanOrEqual(names.length);
    for (let round = 0; round < 3; round++) {
      await service.replaceWorker();
      await service.request('POST', '/warehouses/create', { name: `round ${round}` });
    }
    await until('the entries', async () => (await staged()) === 0);
    const { chains, unsealed, status } = verify();
    expect({ faults: chains.filter(({ fault }) => fault), unsealed, status }).toEqual({
      ...{ faults: [], unsealed: 0, status: 0 },
    });
    const kept = await service.database.query<{ name: string }>(
      `select after ->> 'name' as name from audit_log where entity = 'warehouse' order by position`,
    );
    expect(kept.map(({ name }) => name)).toEqual([
      ...names,
      ...Array.from({ length: 3 }, (_, round) => `round ${round}`),
    ]);
  });

  it('is found to be tampered with by audit:verify', async () => {
    await until('the entries', async () => (await staged()) === 0);
    const [{ id: companyId = 0 } = {}] = await service.database.query<{ id: number }>(
      'select min(id)::int as id from companies',
    );
    const company = ['--company', String(companyId)];
    const before = verify(...company);
    const [{ position = 0, hash = '' } = {}] = before.chains;
    expect({ status: before.status, entries: before.chains[0]?.entries }).toEqual({
      status: 0,
      entries: position,
    });
    expect(verify(...company, '--head', `${position}:${hash}`).status).toBe(0);
    expect(
      verify(
        ...company,
        '--head',
        `${position}:${hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))}`,
      ),
    ).toMatchObject({
      ...{ status: 1, chains: [{ fault: { position, problem: 'tampered' } }] },
    });
    await service.database.query(
      `alter table audit_log disable trigger append_only; update audit_log set actor = 'api-key:9'
        where company_id = ${companyId} and position = 4; alter table audit_log enable trigger append_only`,
    );
    const after = verify();
    expect(after.status).toBe(1);
    expect(after.errors).toContain('the audit logs of 1 of');
    expect(after.chains.filter(({ fault }) => fault)).toMatchObject([
      { companyId, entries: 3, fault: { position: 4, problem: 'tampered' } },
    ]);
  });

  it('of an unknown company is not verified, and that of the installation is', () => {
    expect(verify('--company', '999999')).toMatchObject({
      ...{ status: 1, chains: [], errors: 'there is no company 999999\n' },
    });
    expect(verify('--company', '0')).toMatchObject({ status: 0, chains: [{ companyId: 0, fault: null }] });
  });

  it.each([[['--head', '3:abc']], [['--company', '1', '--head', 'x']], [['--company', 'x']]])(
    'explains the options %s of audit:verify',
    (options) => {
      const { status, errors } = verify(...options);
      expect(status).toBe(1);
      expect(errors).toContain('audit:verify [--company ID');
    },
  );
});
