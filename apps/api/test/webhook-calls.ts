import type { ServerResponse } from 'node:http';
import {
  type EventReceiver,
  queueStores,
  type ReceivedEvent,
  selfSigned,
  startEventReceiver,
  startService,
  type TestService,
  until,
} from '@counterfoil/test-harness';
import { DocumentedSchemas, type OpenApi } from './documented-schemas';
import { type Answer, closeConnections, exchange } from './http-exchange';

export interface Endpoint {
  readonly id: string;
  readonly secret: string;
  /** The path: `/webhooks/we_…` or its alias. */
  readonly at: string;
  /** The path at the receiver. */
  readonly path: string;
}

interface Attempt {
  readonly attempt: number;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly failure: string | null;
  readonly response: string | null;
}

export interface Delivery {
  readonly id: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly state: string;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
  readonly attempts: readonly Attempt[];
}

export interface Listed<Row> {
  readonly data: readonly Row[];
  readonly pagination: { readonly total: number };
}

export type Answering = (event: ReceivedEvent, response: ServerResponse) => void;

export const BASES = ['/webhooks', '/gateway/webhooks'] as const;
export const TIMEOUT_MS = 1_000;
export const SINCE = '2026-01-01';
/** A label of a name has at most 63 characters, so no name server is ever asked for this one. */
export const UNRESOLVED = `${'a'.repeat(64)}.example`;

export let service: TestService;
export let receiver: EventReceiver;
/** A receiver whose certificate is not trusted. */
export let stranger: EventReceiver;
let schemas: DocumentedSchemas;
export let entityId: number;

/** All answers without their secrets, and each secret with the route that returned it. */
const answers: string[] = [];
export const shown: { readonly route: string; readonly secret: string }[] = [];
export const everythingSaid = () => [service.logOf('api'), service.logOf('worker'), ...answers].join('\n');
export const answering = new Map<string, Answering>();
export const made: string[] = [];

const acknowledge: Answering = (_, response) => void response.writeHead(200).end('ok');
export const refuse: Answering = (_, response) => void response.writeHead(500).end('no');

/** Sends a request, validates the answer against its description, and keeps it for the search for secrets. */
export async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await exchange(service.url, {
    method,
    path,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const template = path
    .replace(/\?.*/, '')
    .replace(/\/we_\w+/, '/{id}')
    .replace(/deliveries\/\d+/, 'deliveries/{deliveryId}')
    .replace(/replays\/\d+/, 'replays/{replayId}');
  const json = JSON.parse(answer.text) as { secret?: string };
  const place = [template, method.toLowerCase(), 'responses', String(answer.status), 'content'];
  const problems = schemas.problemsOf(json, 'paths', ...place, 'application/json', 'schema');
  expect({ path, problems }).toEqual({ path, problems: [] });
  const { secret, ...rest } = json;
  if (secret !== undefined) shown.push({ route: `${method} ${template}`, secret });
  answers.push(JSON.stringify(rest));
  return answer;
}

export async function ok<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await ask(method, path, body);
  expect({ path, status: answer.status < 300 ? 'ok' : answer.text }).toEqual({ path, status: 'ok' });
  return JSON.parse(answer.text) as T;
}

let paths = 0;

/** @param url replaces the path at the receiver */
export async function given(
  base: string,
  { events = ['charge.failed'], url }: { events?: string[]; url?: string } = {},
): Promise<Endpoint> {
  paths += 1;
  const path = `/endpoint-${paths}`;
  const asked = { url: url ?? urlOf(path), events };
  const { id, secret } = await ok<{ id: string; secret: string }>('POST', base, asked);
  made.push(`${base}/${id}`);
  return { id, secret, at: `${base}/${id}`, path };
}

export const urlOf = (path: string) => new URL(path, receiver.url).href;
export const deliveriesOf = ({ at }: Endpoint, query = '') =>
  ok<Listed<Delivery>>('GET', `${at}/deliveries${query}`);

/** Sends a test event, and returns its delivery after the attempt. */
export async function attempted(endpoint: Endpoint, body?: object): Promise<Delivery> {
  const { deliveryId } = await ok<{ deliveryId: number }>('POST', `${endpoint.at}/test`, body);
  return attemptsMade(endpoint, deliveryId, 1);
}

export const attemptsMade = ({ at }: Endpoint, deliveryId: number, attempts: number): Promise<Delivery> =>
  until(`attempt ${attempts}`, async () => {
    const delivery = await ok<Delivery>('GET', `${at}/deliveries/${deliveryId}`);
    return delivery.attempts.length === attempts && delivery;
  });

/** Starts the service before the tests of a file, and stops it after them. */
export function serveWebhooks(): void {
  beforeAll(async () => {
    [receiver, stranger] = await Promise.all([startEventReceiver(), startEventReceiver(await selfSigned())]);
    receiver.answerWith((event, response) => (answering.get(event.path) ?? acknowledge)(event, response));
    service = await startService(queueStores()[0]!, {
      ...receiver.settings,
      WEBHOOK_TIMEOUT: `${TIMEOUT_MS}ms`,
      WEBHOOK_RETRY_DELAYS: '1h,2h',
    });
    const description = await exchange(service.url, { method: 'GET', path: '/openapi.json' });
    schemas = new DocumentedSchemas(JSON.parse(description.text) as OpenApi);
    const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
    const { body } = await service.request<{ clientId: number }>('POST', '/clients/create', client);
    entityId = body.clientId;
  });

  afterEach(async () => {
    for (const at of made.splice(0)) await exchange(service.url, { method: 'DELETE', path: at });
    answering.clear();
  });

  /** Asserts that no secret is returned a second time. */
  afterAll(async () => {
    try {
      const said = everythingSaid();
      for (const { secret } of shown) expect(said).not.toContain(secret.slice(6));
    } finally {
      closeConnections();
      await service?.stop();
      await Promise.all([receiver?.close(), stranger?.close()]);
    }
  });
}
