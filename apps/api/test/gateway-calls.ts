import { CreateCompany, IdentityModule } from '@counterfoil/identity';
import {
  type OpenContext,
  openTestContext,
  queueStores,
  startProcesses,
  testConfig,
  type ServiceProcesses,
} from '@counterfoil/test-harness';
import { type Answer, closeConnections, exchange } from './http-exchange';

interface Charge {
  readonly id: number;
  readonly status: string;
  readonly capturedAmount: number;
  readonly refundedAmount: number;
  readonly failureCode: string | null;
  readonly operations: readonly Operation[];
  readonly [more: string]: unknown;
}

interface Operation {
  readonly id: number;
  readonly kind: string;
  readonly amount: number;
  readonly state: string;
  readonly failureCode: string | null;
}

export interface Done {
  readonly chargeId: number;
  readonly refundId: number;
  readonly status: string;
  readonly state: string;
  readonly failureCode: string | null;
}

export interface Row {
  readonly id: number;
  readonly [more: string]: unknown;
}

export interface List {
  readonly data: readonly Row[];
  readonly pagination: object;
}

export const CHARGES = '/gateway/charges';
export const PAGES = '/gateway/payments/payment-pages';
export const CARD_NUMBER = '4242424242424242';

export const bodyIn = <T>({ text }: Answer): T => JSON.parse(text) as T;

export let service: ServiceProcesses;
/** Creates a separate company for each test. */
let identities: OpenContext;
/** The key for requests. */
export let key: string;

export function callAs(ofCompany: string): void {
  key = ofCompany;
}

export const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  exchange(service.url, {
    method,
    path,
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

export async function ok<T>(method: string, path: string, body?: unknown, status?: number): Promise<T> {
  const answer = await send(method, path, body);
  const expected = status ?? (answer.status < 300 ? answer.status : 200);
  expect({ path, status: answer.status, text: answer.text }).toMatchObject({ path, status: expected });
  return bodyIn<T>(answer);
}

export const card = async (name = 'approved', more: object = {}): Promise<number> => {
  const body = { provider: 'sandbox', providerToken: `tok_${name}`, ...more };
  return (await ok<{ tokenId: number }>('POST', '/gateway/tokens', body, 201)).tokenId;
};
export const charge = (tokenId: number, more: object = {}) =>
  ok<Done>('POST', CHARGES, { tokenId, amount: 100, ...more }, 201);
export const change = (id: number, action: string, body?: object) =>
  send('POST', `${CHARGES}/${id}/${action}`, body);
export const changed = async (id: number, action: string, body?: object): Promise<Done> => {
  const answer = await change(id, action, body);
  const status = action === 'refund' ? 201 : 200;
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  return bodyIn(answer);
};
export const read = (id: number) => ok<Charge>('GET', `${CHARGES}/${id}`);
export const aClient = async (): Promise<number> => {
  const body = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
  return (await ok<{ clientId: number }>('POST', '/clients/create', body)).clientId;
};
export const aCompany = async (name: string) =>
  (await identities.get(CreateCompany).execute(name, 'Owner')).ownerKey;

/** Makes requests as a new company. */
export const asNewCompany = async () => callAs(await aCompany('Fresh'));

/** Runs `work` while the worker is paused, so that nothing is settled. */
export async function whileWorkerRests<T>(work: () => Promise<T>): Promise<T> {
  service.worker.pause();
  try {
    return await work();
  } finally {
    service.worker.resume();
  }
}

/** Starts the service before the tests of a file, and stops it after them. */
export function serveGateway(): void {
  beforeAll(async () => {
    service = await startProcesses(queueStores()[0]!, { SCHEDULER_INTERVAL: '500ms' });
    identities = await openTestContext(testConfig(service.database.url), [IdentityModule]);
    await asNewCompany();
  });

  /** Asserts that the log never contains the provider's token of a card. */
  afterAll(async () => {
    try {
      expect(service.api.log + service.worker.log).not.toContain('tok_');
    } finally {
      closeConnections();
      await identities.close();
      await service.stop();
    }
  });
}
