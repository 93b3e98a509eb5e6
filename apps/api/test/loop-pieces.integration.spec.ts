import { CreateCompany } from '@counterfoil/identity';
import {
  BusyTime,
  createTestDatabase,
  relativeCost,
  testConfig,
  type TestDatabase,
  workOneUnit,
} from '@counterfoil/test-harness';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../src/create-app';
import { seedDocuments } from './benches/million-documents';
import { type Answer, closeConnections, exchange } from './http-exchange';

/**
 * The maximum duration of one turn of the event loop, for which all other requests have to wait: as long as parsing and
 * serialising this many mebibytes of JSON.
 */
const TURN_MAX = 10;
const ITEMS = 1_000;
const ENTRIES = 10_000;
const ROWS = 200;

type Method = 'GET' | 'POST' | 'PUT';

let database: TestDatabase;
let app: NestFastifyApplication;
let url: string;
let key: string;
let companyId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await createApp(testConfig(database.url));
  await app.listen({ port: 0, host: '127.0.0.1' });
  url = await app.getUrl();
  const company = await app.get(CreateCompany, { strict: false }).execute('Acme', 'Owner');
  key = company.ownerKey;
  companyId = company.companyId;
}, 60_000);
afterAll(async () => {
  closeConnections();
  await app?.close();
  await database?.drop();
});

function send(method: Method, path: string, body?: string): Promise<Answer> {
  return exchange(url, { method, path, headers: { authorization: `Bearer ${key}` }, body });
}

async function ask<T>(path: string, body: object): Promise<T> {
  const { status, text } = await send('POST', path, JSON.stringify(body));
  if (status >= 300) throw new Error(`POST ${path} answered ${status}: ${text.slice(0, 500)}`);
  return JSON.parse(text) as T;
}

/** Returns the longest turn of the event loop while `work` runs. */
async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let turn = new BusyTime();
  let isOver = false;
  const watched = new Promise<void>((resolve) => {
    const next = (): void => {
      longest = Math.max(longest, turn.elapsedMs());
      turn = new BusyTime();
      if (isOver) resolve();
      else setImmediate(next);
    };
    setImmediate(next);
  });
  try {
    await work();
  } finally {
    isOver = true;
    await watched;
  }
  return longest;
}

const longestTurn = (work: () => Promise<unknown>): Promise<number> => relativeCost(work, longestTurnMs);

const ok =
  (method: Method, path: string, body?: string, expected = 200): (() => Promise<void>) =>
  async () => {
    const { status, text } = await send(method, path, body);
    expect([status, status < 300 ? '' : text.slice(0, 500)]).toEqual([expected, '']);
  };

/** The longest body of a document. */
async function longDocument(): Promise<object> {
  const { clientId: entityId } = await ask<{ clientId: number }>('/clients/create', PARTY);
  const item = { description: 'Consulting', quantity: 3, unitPrice: 33.33, discountPercent: 12.5 };
  return { entityId, items: Array.from({ length: ITEMS }, () => item) };
}

const PARTY = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };

describe('the event loop is never blocked for long', () => {
  it.each(['', '/html'])('by a preview of 1,000 items: %p', async (rest) => {
    const body = JSON.stringify({ type: 'TAX_INVOICE', ...(await longDocument()) });
    expect(await longestTurn(ok('POST', `/documents/preview${rest}`, body))).toBeLessThan(TURN_MAX);
  });

  it('by a document of 1,000 items', async () => {
    const body = JSON.stringify(await longDocument());
    const issue = ok('POST', '/documents/create/QUOTE', body, 201);
    expect(await longestTurn(issue)).toBeLessThan(TURN_MAX);
  });

  it('by a pricelist of 10,000 entries', async () => {
    const { visibleId } = await ask<{ visibleId: string }>('/vendors/create', PARTY);
    const products = await database.query<{ id: number }>(
      `insert into products (visible_id, company_id, name, sku, is_active, created_at, updated_at)
       select gen_random_uuid(), $1, 'Product ' || n, 'sku-' || n, true, now(), now() from generate_series(1, $2) n
       returning id::int`,
      [companyId, ENTRIES],
    );
    const priceTiers = Array.from({ length: 6 }, (_, n) => ({
      ...{ from: 10 * n + 1, to: 10 * n + 9.9999 },
      ...{ tierType: 'fixed', price: 12.3456 },
    }));
    const entries = products.map(({ id }) => ({ productId: id, pricingMode: 'tiers', priceTiers }));
    const replace = ok('PUT', `/vendors/id/${visibleId}/pricelist`, JSON.stringify({ entries }));
    expect(await longestTurn(replace)).toBeLessThan(TURN_MAX);
  }, 120_000);

  it('by a page of 200 documents', async () => {
    await seedDocuments(database, { companyId, count: ROWS });
    expect(await longestTurn(ok('GET', `/documents?limit=${ROWS}`))).toBeLessThan(TURN_MAX);
  });

  it('and the test detects a blocked event loop', async () => {
    const busy = async (): Promise<void> => {
      await new Promise(setImmediate);
      for (let units = 0; units < 2 * TURN_MAX; units++) workOneUnit();
    };
    expect(await longestTurn(busy)).toBeGreaterThan(TURN_MAX);
  });
});
