import { DEMO_KEY, startApiService, type TestService } from '@counterfoil/test-harness';
import { type Answer, closeConnections, exchange } from './http-exchange';

export type Json = Record<string, unknown>;

export interface Created {
  readonly id: number;
  readonly visibleId: string;
  readonly type: string;
  readonly number: number;
  readonly amount: number;
  readonly tax: number;
  readonly totalWithTax: number;
}

/** An API key, and an entity of its company. */
export interface Customer {
  readonly key: string;
  readonly entityId: number;
}

export const ITEM = { description: 'Consulting', quantity: 1, unitPrice: 100 };

export let service: TestService;
export let demo: Customer;

export const send = ({ key }: Customer, method: string, path: string, body?: unknown): Promise<Answer> =>
  exchange(service.url, {
    method,
    path,
    headers: { authorization: `Bearer ${key}` },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

/** Sends a request that must be answered with this status, and parses the answer. */
export async function answered<T = Json>(
  customer: Customer,
  request: string,
  status: number,
  body?: unknown,
): Promise<T> {
  const [method = '', path = ''] = request.split(' ');
  const answer = await send(customer, method, path, body);
  expect({ request, status: answer.status, text: answer.text }).toMatchObject({ request, status });
  return JSON.parse(answer.text) as T;
}

export async function withClient(key: string): Promise<Customer> {
  const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
  const { clientId } = await answered<{ clientId: number }>(
    { key, entityId: 0 },
    'POST /clients/create',
    201,
    client,
  );
  return { key, entityId: clientId };
}

export async function newCompany(): Promise<Customer> {
  const { ownerKey } = await service.createCompany('Fresh');
  return withClient(ownerKey);
}

/** Returns a valid body for a document of this type. */
export function bodyOf({ entityId }: Customer, type: string, more: object = {}): object {
  const isReceipt = type.toUpperCase() === 'RECEIPT';
  const content = isReceipt ? { payments: [{ method: 'CASH', amount: 100 }] } : { items: [ITEM] };
  return { entityId, ...content, ...more };
}

export const issue = (customer: Customer, type: string, more: object = {}): Promise<Created> =>
  answered(customer, `POST /documents/create/${type}`, 201, bodyOf(customer, type, more));

/** Starts the service before the tests of a file, and stops it after them. */
export function serveDocuments(): void {
  beforeAll(async () => {
    service = await startApiService();
    demo = await withClient(DEMO_KEY);
  });

  afterAll(async () => {
    closeConnections();
    await service.stop();
  });
}
