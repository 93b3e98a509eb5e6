import {
  databaseAt,
  DEMO_KEY,
  freePorts,
  type OwnPostgres,
  queueStores,
  startOwnPostgres,
  startServiceOn,
  type TestApiProcess,
  type TestDatabase,
  type TestService,
} from '@counterfoil/test-harness';

const PARTY = { taxId: '514000000', type: 'COMPANY' };
/** Shorter than the time that a read waits for the replica. */
const DELAY_MS = 20;
const CALLERS = 4;
const WRITES = 15;
const BY_REPLICA = /^counterfoil_database_replica_reads_total\{outcome="replica"\} (\d+)$/m;

interface Listed {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly pagination: { readonly total: number };
}

let server: OwnPostgres;
let standby: TestDatabase;
let service: TestService;
let other: TestApiProcess;
let metricsPort: number;
let clientId: number;

beforeAll(async () => {
  server = await startOwnPostgres();
  standby = databaseAt(await server.startStandby());
  // Without it, a replica on the same machine is hardly ever behind.
  await standby.query(`alter system set recovery_min_apply_delay = '${DELAY_MS}ms'`);
  await standby.query('select pg_reload_conf()');
  [metricsPort = 0] = await freePorts(1);
  service = await startServiceOn(databaseAt(server.url), queueStores()[0]!, {
    REPLICA_DATABASE_URL: standby.url,
    METRICS_PORT: String(metricsPort),
  });
  other = await service.startApiProcess();
  ({ clientId } = await create<{ clientId: number }>('/clients/create', { ...PARTY, name: 'Acme' }));
});
afterAll(async () => {
  await service?.stop();
  await standby?.drop();
  await server?.stop();
});

/** Writes through the other process. */
async function create<Answer>(path: string, body: object): Promise<Answer> {
  const response = await fetch(other.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect({ path, status: response.status }).toEqual({ path, status: 201 });
  return (await response.json()) as Answer;
}

const issue = () =>
  create<{ id: string }>('/documents/create/tax-invoice', {
    entityId: clientId,
    items: [{ description: 'Consulting', quantity: 1, unitPrice: 100 }],
  });

async function list(path: string): Promise<Listed> {
  const { status, body } = await service.request<Listed>('GET', path);
  expect({ path, status }).toEqual({ path, status: 200 });
  return body;
}

async function readsOfReplica(): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(BY_REPLICA.exec(metrics)?.[1] ?? 0);
}

/** Whether the list has the record that was just written. */
type WriteAndList = (name: string) => Promise<boolean>;

const vendor: WriteAndList = async (name) => {
  await create('/vendors/create', { ...PARTY, name });
  return (await list('/vendors?limit=100')).data.some((listed) => listed['name'] === name);
};
const document: WriteAndList = async () => {
  const { id } = await issue();
  return (await list('/documents?limit=100')).data.some((listed) => listed['id'] === id);
};

describe('the replica', () => {
  it.each([
    ['vendors, whose lists are cached', vendor],
    ['documents, whose lists are counted', document],
  ])('shows %s, as soon as they were written through another process', async (_, writeAndList) => {
    const before = await readsOfReplica();
    const callers = Array.from({ length: CALLERS }, async (__, caller) => {
      const found: boolean[] = [];
      for (let nth = 0; nth < WRITES; nth++) found.push(await writeAndList(`Vendor ${caller}-${nth}.`));
      return found;
    });
    expect((await Promise.all(callers)).flat()).toEqual(Array.from({ length: CALLERS * WRITES }, () => true));
    expect(await readsOfReplica()).toBeGreaterThan(before);
  });

  it('is not read any more after it was promoted', async () => {
    const before = (await list('/documents')).pagination.total;
    await server.promoteStandby();
    await issue();
    expect((await list('/documents')).pagination.total).toBe(before + 1);
  });
});
