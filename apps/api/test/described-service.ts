import {
  DEMO_KEY,
  DocumentServer,
  type EventReceiver,
  queueStores,
  startEventReceiver,
  startService,
  type TestService,
} from '@counterfoil/test-harness';
import { examplePath } from './api-routes';
import {
  DocumentedSchemas,
  expectDescribedCode,
  type OpenApi,
  type Operation,
  withOwnResponses,
} from './documented-schemas';
import { type Answer, closeConnections, exchange } from './http-exchange';

const JSON_TYPE = 'application/json';
/** The operations whose successful answer is not JSON. */
export const OTHER_TYPES: Readonly<Record<string, string>> = {
  'POST /documents/preview/html': 'text/html',
  'POST /documents/preview/pdf': 'application/pdf',
  'GET /gateway/sandbox/pages/{key}': 'text/html',
  'GET /documents/id/{id}/pdf': 'application/pdf',
  'GET /clients/id/{visibleId}/statement/pdf': 'application/pdf',
  'GET /documents/id/{id}/ubl': 'application/xml',
  'GET /documents/id/{id}/cii': 'application/xml',
  'GET /documents/id/{id}/html': 'text/html',
  'GET /d/{token}': 'text/html',
  'GET /d/{token}/pdf': 'application/pdf',
};

export let service: TestService;
export let documents: DocumentServer;
export let receiver: EventReceiver;
export let description: OpenApi;
export let schemas: DocumentedSchemas;

export const operations = (): [name: string, operation: Operation][] =>
  Object.entries(description.paths).flatMap(([at, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${at}`,
      operation,
    ]),
  );

interface RequestAuthorization {
  readonly key?: string;
  readonly type?: string;
}

export function ask(
  method: string,
  at: string,
  body?: unknown,
  { key, type }: RequestAuthorization = {},
): Promise<Answer> {
  return exchange(service.url, {
    method,
    path: at,
    headers: {
      authorization: `Bearer ${key ?? DEMO_KEY}`,
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

export const SPENT = { date: '2025-12-31', total: 118, tax: 18, deductableTax: 9 };

/** Sends a request, and validates the answer by its status. An accepted body is validated too. */
export async function check(route: string, sent: RequestContent, status: number): Promise<Answer> {
  const [method = '', template = ''] = route.split(' ');
  const answer = await ask(method, sent.at ?? examplePath(template), sent.body, sent);
  expect({ route, status: answer.status, text: answer.text }).toMatchObject({ route, status });
  const operation = ['paths', template, method.toLowerCase()];
  const type = (status === 200 ? OTHER_TYPES[route] : undefined) ?? JSON_TYPE;
  const value: unknown = type === JSON_TYPE ? JSON.parse(answer.text) : answer.text;
  const response = [...operation, 'responses', String(status), 'content', type, 'schema'];
  expect(schemas.problemsOf(value, ...response)).toEqual([]);
  expectDescribedCode(description, [template, method.toLowerCase(), status], answer.text);
  if (status < 300 && sent.body !== undefined) {
    const request = [...operation, 'requestBody', 'content', JSON_TYPE, 'schema'];
    expect(schemas.problemsOf(sent.body, ...request)).toEqual([]);
  }
  return answer;
}

export interface RequestContent {
  readonly at?: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly type?: string;
}

export type Succeed = <T>(route: string, sent: RequestContent, status?: number) => Promise<T>;

/** Starts the service before the tests of a file, and stops it after them. */
export function serveDescribed(): void {
  beforeAll(async () => {
    receiver = await startEventReceiver();
    documents = await DocumentServer.start();
    service = await startService(queueStores()[0]!, {
      ...receiver.settings,
      SCHEDULER_INTERVAL: '1s',
    });
    const { text } = await exchange(service.url, {
      method: 'GET',
      path: '/openapi.json',
      headers: { authorization: null },
    });
    description = withOwnResponses(JSON.parse(text) as OpenApi);
    schemas = new DocumentedSchemas(description);
  });

  afterAll(async () => {
    await documents?.close();
    closeConnections();
    await service.stop();
    await receiver.close();
  });
}
