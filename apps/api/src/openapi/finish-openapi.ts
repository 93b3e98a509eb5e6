import type { OpenAPIObject } from '@nestjs/swagger';
import { JSON_LIMITS, PUBLIC_LIMITS, tooLarge } from '../http/json-limits';
import { describeEvents } from './describe-events';
import { describeIgnoredFields } from './describe-ignored-fields';

type Json = Record<string, unknown>;

const ERROR_SCHEMA = { $ref: '#/components/schemas/ErrorBody' };
const METHODS_WITH_BODY = new Set(['post', 'put', 'patch']);

const POLICY = 'The limits that count the request, with their requests (q) in a window of seconds (w)';
const STATE =
  'Requests left (r), and the seconds to the end of the window (t), of each limit that was counted';

function headerOf(type: 'integer' | 'string', description: string, example: unknown): Json {
  return { description, schema: { type }, example };
}

/** Errors that many routes have in common, with the condition for each. */
const ERRORS: readonly {
  readonly status: string;
  readonly description: string;
  readonly applies: (route: Route) => boolean;
  readonly headers?: Json;
}[] = [
  { status: '400', description: 'The request is malformed or breaks a rule', applies: () => true },
  { status: '401', description: 'No key, or an unknown or revoked one', applies: ({ open }) => !open },
  { status: '403', description: "The key's role may not do this", applies: ({ open }) => !open },
  {
    status: '404',
    description: 'The company has no such record',
    applies: ({ path, answersNull }) => path.includes('{') && !answersNull,
  },
  { status: '409', description: 'The current state does not allow it', applies: ({ writes }) => writes },
  {
    status: '413',
    description: tooLarge(JSON_LIMITS.bytesMax),
    applies: ({ writes, open }) => writes && !open,
  },
  {
    status: '413',
    description: tooLarge(PUBLIC_LIMITS.bytesMax),
    applies: ({ writes, open }) => writes && open,
  },
  { status: '415', description: 'The body is not JSON', applies: ({ writes }) => writes },
  {
    status: '429',
    description: 'Too many requests, where the operator has set limits; try again after Retry-After',
    applies: ({ open }) => !open,
    headers: {
      'Retry-After': headerOf('integer', 'Seconds until another request makes sense', 17),
      'RateLimit-Policy': headerOf('string', POLICY, '"key";q=600;w=60, "company";q=3000;w=60'),
      RateLimit: headerOf('string', STATE, '"key";r=0;t=17'),
    },
  },
  { status: '500', description: 'An internal error', applies: () => true },
  {
    status: '503',
    description: 'The database is unavailable, or the service is too busy; try again after Retry-After',
    applies: () => true,
  },
];

interface Route {
  readonly path: string;
  readonly writes: boolean;
  readonly open: boolean;
  /** Whether the route answers null for an unknown id, instead of 404. */
  readonly answersNull: boolean;
}

/** Adds the common errors of all routes and the events for receivers, which decorators cannot express. */
export function finishOpenApi(document: OpenAPIObject): OpenAPIObject {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item as Record<string, Json>)) {
      operation['operationId'] = withoutIndex(String(operation['operationId']));
      const writes = METHODS_WITH_BODY.has(method);
      addErrors({ path, writes, open: isOpen(operation), answersNull: answersNull(operation) }, operation);
    }
  }
  const finished = { ...describeIgnoredFields(document), webhooks: describeEvents() };
  return inTermsOf31(finished) as OpenAPIObject;
}

/** Replaces the numbers in the operation ids of a controller with two paths, for readable generated clients. */
function withoutIndex(operationId: string): string {
  return operationId.replace('[0]', '').replace('[1]', 'Alias');
}

/** Whether the route needs no key: then its list of security requirements is empty. */
function isOpen({ security }: Json): boolean {
  return Array.isArray(security) && security.length === 0;
}

/** Whether the body of a successful answer may be null. */
function answersNull({ responses }: Json): boolean {
  const { 200: ok } = responses as Record<string, { content?: Record<string, { schema?: Json }> }>;
  const alternatives = ok?.content?.['application/json']?.schema?.['anyOf'];
  return Array.isArray(alternatives) && alternatives.some((one) => (one as Json)['type'] === 'null');
}

function addErrors(route: Route, operation: Json): void {
  const responses = operation['responses'] as Record<string, Json | undefined>;
  for (const { status, description, applies, headers } of ERRORS) {
    if (!applies(route)) continue;
    const content = { 'application/json': { schema: ERROR_SCHEMA } };
    responses[status] = { ...(headers && { headers }), ...(responses[status] ?? { description, content }) };
  }
}

/** Converts the output of the decorators, OpenAPI 3.0, to 3.1: no `nullable`, no boolean `exclusiveMinimum`. */
function inTermsOf31(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inTermsOf31);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...rest } = value as Json;
  const schema = Object.fromEntries(Object.entries(rest).map(([key, child]) => [key, inTermsOf31(child)]));
  if (schema['exclusiveMinimum'] === true) {
    schema['exclusiveMinimum'] = schema['minimum'];
    delete schema['minimum'];
  }
  if (nullable !== true) return schema;
  if (Array.isArray(schema['enum'])) schema['enum'] = [...(schema['enum'] as unknown[]), null];
  // `allOf` wraps a reference that has a type of its own. With a nullable type, null would also have to match it.
  return 'type' in schema && !('allOf' in schema)
    ? { ...schema, type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}
