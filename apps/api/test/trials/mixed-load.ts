import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { type TestService, until } from '@counterfoil/test-harness';
import { type Answer, exchange } from '../http-exchange';
import { upload } from '../uploads';
import { textReceipt } from './text-receipt';

const ITEM = { description: 'Consulting', quantity: 1, unitPrice: 100 };
const STOCK = 1_000_000;
const SPENT = { documentNumber: 'R-1', date: '2026-11-20', total: 118, tax: 18, deductableTax: 18 };
const UPLOAD_BYTES = 64 * 1024;
const FAULTS_KEPT = 10;
const PAUSE_LIMIT_MS = 30_000;
/** Each uses about 117 of the 2,000,000 ids that the list cache may hold. */
const CACHED_SEARCHES = 18_000;
const SEARCHED = ['/expenses', '/clients'];

/** A client of the load with a connection of its own, and the rows that it refers to. */
interface Place extends Client {
  readonly entityId: number;
  readonly fileId: number;
  readonly tokenId: number;
  readonly inventoryId: number;
  readonly otherWarehouseId: number;
}

interface Client {
  readonly url: string;
  readonly agent: http.Agent;
  readonly key: string;
}

/** Several clients that make calls of all kinds, one after the other without pauses. */
export class MixedLoad {
  calls = 0;
  wrong = 0;
  /** The first failed calls. */
  readonly faults: string[] = [];
  private isStopping = false;
  private underWay = 0;
  /** Resolves when clients may make calls. */
  private gate = Promise.resolve();
  private readonly clients: Promise<void>[];

  private constructor(private readonly places: readonly Place[]) {
    this.clients = places.map((place) => this.run(place));
  }

  /**
   * @param receiverUrl the endpoint of each client's events
   * @param url where the clients call, if it is not the first API process
   */
  static async start(
    service: TestService,
    clients: number,
    receiverUrl: string,
    url = service.url,
  ): Promise<MixedLoad> {
    const places: Place[] = [];
    while (places.length < clients) {
      const { ownerKey: key } = await service.createCompany('Load');
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      places.push(await furnish({ url, agent, key }, receiverUrl));
    }
    return new MixedLoad(places);
  }

  /**
   * Fills the list cache with searches, which would take the load an hour. A cache that is not full yet grows
   * like a leak.
   */
  async fillCaches(): Promise<void> {
    const fill = async (place: Place): Promise<void> => {
      for (let nth = 0; nth < CACHED_SEARCHES / this.places.length; nth++) {
        for (const path of SEARCHED) {
          const { status } = await send(place, ['GET', `${path}?search=none%20${nth}&limit=20`]);
          if (status !== 200) throw new Error(`a search of ${path} was answered ${status}`);
        }
      }
    };
    await this.whilePaused(() => Promise.all(this.places.map(fill)));
  }

  /**
   * Runs `work` while no call is in progress, so that a measurement includes only what is retained between
   * calls.
   */
  async whilePaused<Result>(work: () => Promise<Result>): Promise<Result> {
    let open = (): void => undefined;
    this.gate = new Promise((resolve) => (open = resolve));
    try {
      await until('the calls under way to end', () => this.underWay === 0, PAUSE_LIMIT_MS);
      return await work();
    } finally {
      open();
    }
  }

  /** Resolves when all started calls are answered. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.clients);
    for (const { agent } of this.places) agent.destroy();
  }

  private async run(place: Place): Promise<void> {
    for (let nth = 0; !this.isStopping; nth++) {
      await this.gate;
      this.underWay += 1;
      await this.call(place, nth);
      this.underWay -= 1;
      this.calls += 1;
    }
  }

  private async call(place: Place, nth: number): Promise<void> {
    const [name, work] = WORKS[nth % WORKS.length]!;
    try {
      const { status, text } = await work(place, nth);
      if (status >= 300) this.complain(`${name} was answered ${status}: ${text.slice(0, 200)}`);
    } catch (error) {
      this.complain(`${name}: ${String(error)}`);
    }
  }

  private complain(fault: string): void {
    this.wrong += 1;
    if (this.faults.length < FAULTS_KEPT) this.faults.push(fault);
  }
}

type Work = (place: Place, nth: number) => Promise<Answer>;

const send = (
  { url, agent, key }: Client,
  [method, path, body, headers]: [string, string, object?, Record<string, string>?],
): Promise<Answer> =>
  exchange(url, {
    method,
    path,
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: body && JSON.stringify(body),
    agent,
  });

const once = () => ({ 'idempotency-key': randomUUID() });
const CHARGES = '/gateway/charges';
const MOVEMENTS = '/inventory/movements/create';

const invoice: Work = (place, nth) => {
  const body = { entityId: place.entityId, items: [ITEM], externalId: `order-${nth}` };
  return send(place, ['POST', '/documents/create/tax-invoice', body, once()]);
};
const receipt: Work = (place) => {
  const body = { entityId: place.entityId, payments: [{ method: 'CASH', amount: 5 }] };
  return send(place, ['POST', '/documents/create/receipt', body, once()]);
};
const charge: Work = (place) =>
  send(place, ['POST', CHARGES, { tokenId: place.tokenId, amount: 10 }, once()]);
const authorizeAndCancel: Work = async (place) => {
  const asked = { tokenId: place.tokenId, amount: 10, capture: false };
  const { text } = await send(place, ['POST', CHARGES, asked]);
  const { chargeId } = JSON.parse(text) as { chargeId: number };
  return send(place, ['POST', `${CHARGES}/${chargeId}/cancel`]);
};
const transfer: Work = (place) => {
  const { inventoryId, otherWarehouseId: targetWarehouseId } = place;
  const body = { inventoryId, movementType: 'TRANSFER', quantity: 1, targetWarehouseId };
  return send(place, ['POST', MOVEMENTS, body]);
};
const uploadOne: Work = async ({ url, key, agent }, nth) => {
  const bytes = Buffer.alloc(UPLOAD_BYTES, `${nth} `);
  await upload(url, bytes, { key, agent });
  return { status: 201, headers: {}, text: '' };
};
const extract: Work = async (place, nth) => {
  const { url, key, agent } = place;
  const { id } = await upload(url, textReceipt(place.entityId * 1_000_000 + nth), { key, agent });
  return send(place, ['GET', `/expenses/extract-from-file/${id}`]);
};
const expense: Work = (place, nth) => {
  const { entityId: vendorId, fileId } = place;
  const body = { ...SPENT, documentNumber: `R-${nth}`, vendorId, fileId, title: `Paper ${nth}` };
  return send(place, ['POST', '/expenses/create', body]);
};
const client: Work = (place, nth) =>
  send(place, ['POST', '/clients/create', { name: `Client ${nth}`, taxId: '514000000', type: 'COMPANY' }]);
const listOf =
  (path: string): Work =>
  (place) =>
    send(place, ['GET', path]);
/** Returns a list request that is not cached. */
const searchOf =
  (path: string): Work =>
  (place, nth) =>
    send(place, ['GET', `${path}?search=Paper%20${nth}&limit=20`]);

const LISTS = {
  documents: listOf('/documents?limit=50'),
  changes: listOf('/documents?updatedSince=2026-01-01T00:00:00Z&limit=50'),
  expenses: listOf('/expenses?limit=50'),
  charges: listOf('/gateway/charges?limit=50'),
  movements: listOf('/inventory/movements?limit=50'),
  files: listOf('/files?limit=50'),
  'search of expenses': searchOf('/expenses'),
  'search of clients': searchOf('/clients'),
};
const WRITES = {
  invoice,
  receipt,
  charge,
  transfer,
  uploadOne,
  authorizeAndCancel,
  expense,
  extract,
  client,
};
const WORKS: readonly (readonly [name: string, work: Work])[] = [
  ...Object.entries(WRITES),
  ...Object.entries(LISTS),
  ['invoice', invoice],
];

async function furnish(own: Client, receiverUrl: string): Promise<Place> {
  const make = async <T>(path: string, body: object): Promise<T> => {
    const { status, text } = await send(own, ['POST', path, body]);
    if (status >= 300) throw new Error(`${path} was answered ${status}: ${text}`);
    return JSON.parse(text) as T;
  };
  await make('/webhooks', { url: receiverUrl, events: ['*'] });
  const acme = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
  const { clientId: entityId } = await make<{ clientId: number }>('/clients/create', acme);
  await make('/vendors/create', { entityId });
  const { id: fileId } = await upload(own.url, 'receipt', { key: own.key, agent: own.agent });
  const { productId } = await make<{ productId: number }>('/products/create', { name: 'Paper', sku: 'A4' });
  const warehouse = async (name: string) =>
    (await make<{ warehouseId: number }>('/warehouses/create', { name })).warehouseId;
  const [warehouseId, otherWarehouseId] = [await warehouse('Main'), await warehouse('Other')];
  const record = { productId, warehouseId };
  const { inventoryId } = await make<{ inventoryId: number }>('/inventory/create', record);
  await make(MOVEMENTS, { inventoryId, movementType: 'ADD', quantity: STOCK });
  const card = { provider: 'sandbox', providerToken: 'tok_approved' };
  const { tokenId } = await make<{ tokenId: number }>('/gateway/tokens', card);
  return { ...own, entityId, fileId, tokenId, inventoryId, otherWarehouseId };
}
