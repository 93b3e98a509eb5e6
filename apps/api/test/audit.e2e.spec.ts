import { DEMO_KEY, until } from '@counterfoil/test-harness';
import { description, documents, operations, receiver, serveDescribed, service } from './described-service';
import { callEverything, HOOK, RECEIPT, RECEIPT_AT } from './example-calls';
import { ExampleSession } from './example-session';
import { exchange } from './http-exchange';

/** Operations that are not safe by their method and change no record, with the reasons. */
const CHANGING_NOTHING: Readonly<Record<string, string>> = {
  'documents.preview': 'computes a document and stores nothing',
  'documents.previewPage': 'computes a document and stores nothing',
  'documents.previewPdf': 'computes a document, whose file is removed soon',
  'webhooks.sendTest': 'sends an example, which the delivery log shows',
  'webhooks.trigger': 'sends an example, which the delivery log shows',
};

interface Entry {
  readonly position: number;
  readonly at: string;
  readonly action: string;
  readonly entity: string;
  readonly id: string;
  readonly actor: string;
  readonly role: string | null;
  readonly requestId: string | null;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

interface EntryPage {
  readonly data: readonly Entry[];
  readonly pagination: { readonly total: number };
}

serveDescribed();

async function list(query: string, key = DEMO_KEY): Promise<EntryPage> {
  const { status, body } = await service.request<EntryPage>('GET', `/audit?${query}`, undefined, key);
  expect(status).toBe(200);
  return body;
}

const sealed = () =>
  until('the entries', async () => {
    const [row] = await service.database.query<{ waiting: number }>(
      'select count(*)::int as waiting from audit_staged',
    );
    return row?.waiting === 0;
  });

describe('GET /audit', () => {
  let secrets: string[];

  beforeAll(async () => {
    const servers = new Map([
      [HOOK, receiver.url],
      [RECEIPT_AT, documents.serve('/receipt.txt', RECEIPT)],
    ]);
    const session = new ExampleSession(service, description, servers);
    await callEverything(session);
    const text = JSON.stringify(session.calls);
    secrets = [...text.matchAll(/sk_live_[\w-]+|whsec_[\w+/=-]+|(?<=pages\/)[\w-]{16,}/g)].map(
      ([one]) => one,
    );
    await sealed();
  });

  it('has an entry of every operation that changes something', async () => {
    const changing = operations()
      .filter(([name]) => !name.startsWith('GET '))
      .map(([, { operationId }]) => operationId)
      .filter((name) => !name.startsWith('gatewayWebhooks.') && !(name in CHANGING_NOTHING));
    expect(changing.length).toBeGreaterThan(40);
    const recorded = await service.database.query<{ name: string }>(
      'select distinct request_id as name from audit_log where company_id > 0',
    );
    const names = new Set(recorded.map(({ name }) => name));
    expect(changing.filter((name) => !names.has(name))).toEqual([]);
  });

  it('has no entry of an operation that changes nothing', async () => {
    const reading = operations()
      .filter(([name, { operationId }]) => name.startsWith('GET ') || operationId in CHANGING_NOTHING)
      .map(([, { operationId }]) => operationId);
    const found = await service.database.query(
      'select request_id, entity, after from audit_log where request_id = any ($1)',
      [reading],
    );
    expect(found).toEqual([]);
  });

  it('names the key, its role and the request', async () => {
    const { data } = await list('requestId=company.edit');
    expect(data).toMatchObject([
      {
        ...{ entity: 'company', action: 'update', role: 'owner', requestId: 'company.edit' },
        after: { name: 'Levi Office Supplies Ltd', defaultPaymentTermType: 'CURRENT_PLUS_DAYS' },
      },
    ]);
    expect(data[0]?.actor).toMatch(/^api-key:\d+$/);
    expect(data[0]?.before).not.toHaveProperty('defaultVatRate');
  });

  it('names the caller without a key', async () => {
    const { data } = await list('requestId=sandboxPages.pay&entity=charge');
    expect(data.map(({ actor }) => actor)).toContain('public');
  });

  it('contains no secret that an answer showed once', async () => {
    expect(secrets.length).toBeGreaterThan(3);
    const rows = await service.database.query<{ entry: string }>(
      'select audit_log::text as entry from audit_log',
    );
    const text = rows.map(({ entry }) => entry).join('\n');
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  it('filters by record, actor, action and time', async () => {
    const [charge] = (await list('entity=charge&action=create')).data;
    const { data } = await list(`entity=charge&id=${charge?.id}`);
    expect(new Set(data.map(({ entity, id }) => `${entity} ${id}`))).toEqual(
      new Set([`charge ${charge?.id}`]),
    );
    expect(data.at(-1)?.action).toBe('create');
    const all = await list('limit=200');
    const after = encodeURIComponent(charge?.at ?? '');
    const [since, until_] = [await list(`from=${after}&limit=1`), await list(`to=${after}&limit=1`)];
    expect(since.pagination.total).toBeGreaterThan(0);
    expect(since.pagination.total + until_.pagination.total).toBeGreaterThanOrEqual(all.pagination.total);
    const actors = await Promise.all(
      ['public', 'command:prepare', 'api-key:1'].map((actor) => list(`actor=${actor}&limit=1`)),
    );
    for (const [at, { data }] of actors.entries())
      expect({ at, found: data.length }).toEqual({ at, found: 1 });
    expect((await list('actor=api-key:0')).data).toEqual([]);
  });

  it('is a list, the newest first, in pages without overlap', async () => {
    const [first, second] = [await list('limit=5'), await list('limit=5&page=2')];
    const times = [...first.data, ...second.data].map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
    expect(new Set([...first.data, ...second.data].map(({ position }) => position)).size).toBe(10);
  });

  it.each([
    ['entity=password', 'entity'],
    ['action=drop', 'action'],
    [`id=${'9'.repeat(65)}`, 'id'],
    [`actor=${'x'.repeat(129)}`, 'actor'],
    ['from=yesterday', 'from'],
    ['to=2026-13-01', 'to'],
    [`from=${'9'.repeat(70)}`, 'from'],
    ['from=2026-01-01&from=2026-01-02', 'from'],
  ])('refuses the filter %s', async (query, field) => {
    const answer = await exchange(service.url, { method: 'GET', path: `/audit?${query}` });
    expect(answer.status).toBe(400);
    const { code, error } = JSON.parse(answer.text) as { code: string; error: string };
    expect({ code, field: error.split(/[ []/)[0] }).toEqual({ code: 'VALIDATION_FAILED', field });
  });

  it.each([`id=${encodeURIComponent("' or 1=1 --")}`, 'actor=%25', 'requestId=_'])(
    'finds nothing by the text %s',
    async (query) => {
      expect((await list(query)).data).toEqual([]);
    },
  );

  it('shows a company its own entries only', async () => {
    const { ownerKey, companyId } = await service.createCompany('Other');
    await sealed();
    const { data, pagination } = await list('limit=200', ownerKey);
    expect(pagination.total).toBe(3);
    expect(data.map(({ entity }) => entity).sort()).toEqual(['api_key', 'company', 'user']);
    expect(data.find(({ entity }) => entity === 'company')?.id).toBe(String(companyId));
    expect((await list('requestId=company.edit', ownerKey)).data).toEqual([]);
  });

  it('is for owners', async () => {
    for (const role of ['accountant', 'editor', 'viewer']) {
      const { body } = await service.request<{ key: string }>('POST', '/api-keys', { role, userName: role });
      const { status } = await service.request('GET', '/audit', undefined, body.key);
      expect({ role, status }).toEqual({ role, status: 403 });
    }
  });
});
