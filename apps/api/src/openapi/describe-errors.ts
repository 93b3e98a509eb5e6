import type { ErrorCode } from '@counterfoil/kernel';
import { ERROR_CODES, ERROR_STATUS } from '../http/error-body';
import { JSON_LIMITS, PUBLIC_LIMITS, tooLarge } from '../http/json-limits';
import type { Json } from './map-schemas';

/** The properties of an operation that decide on its errors. */
export interface Route {
  readonly path: string;
  readonly writes: boolean;
  /** Whether the route needs no key. */
  readonly open: boolean;
  /** Whether the route answers null for an unknown id, instead of 404. */
  readonly answersNull: boolean;
  /** Whether the route honours the `Idempotency-Key`. */
  readonly keyed: boolean;
  /** The codes that the route declares, in addition to those that follow from the other properties. */
  readonly declared: readonly ErrorCode[];
}

const KEYED: readonly ErrorCode[] = [
  'INVALID_IDEMPOTENCY_KEY',
  'IDEMPOTENCY_KEY_REUSED',
  'REQUEST_IN_PROGRESS',
];
/** Codes that a route answers only if it declares them, or if its kind of route is described below. */
const DECLARED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...KEYED,
  'INVALID_PRICELIST',
  'MISSING_URL',
  'INVALID_CURSOR',
  'INVALID_UPDATED_SINCE',
  'UNSUPPORTED_FILE_TYPE_FOR_EXTRACTION',
  'URL_NOT_ALLOWED',
  'UNKNOWN_REFERENCE',
  'INSUFFICIENT_STOCK',
  'INVALID_STATE',
  'LIMIT_REACHED',
]);

const CODES = Object.keys(ERROR_STATUS) as ErrorCode[];

/** Errors that many routes have in common, with the condition for each. */
const ERRORS: readonly {
  readonly status: string;
  readonly description: string;
  readonly applies: (route: Route) => boolean;
}[] = [
  { status: '400', description: 'The request is malformed or breaks a rule', applies: () => true },
  {
    status: '401',
    description: 'No key, or one that is unknown, revoked, expired or used from another address',
    applies: ({ open }) => !open,
  },
  {
    status: '403',
    description: "The key's role may not do this, or the company is suspended",
    applies: ({ open }) => !open,
  },
  {
    status: '404',
    description: 'The company has no such record',
    applies: ({ path, answersNull }) => path.includes('{') && !answersNull,
  },
  {
    status: '409',
    description: 'The current state does not allow it',
    applies: (route) => codesOf(route, 409).length > 0,
  },
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
    applies: ({ open, declared }) => !open || declared.includes('RATE_LIMITED'),
  },
  { status: '500', description: 'An internal error', applies: () => true },
  {
    status: '503',
    description: 'The database is unavailable, or the service is too busy; try again after Retry-After',
    applies: () => true,
  },
];

/** Codes that come with a `Retry-After`. */
const RETRIED = new Set<ErrorCode>([
  'REQUEST_IN_PROGRESS',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'EXTRACTION_TIMEOUT',
]);

/** Adds the common errors of a route to its operation, and to each error its codes, an example of each, and headers. */
export function describeErrors(route: Route, operation: Json): void {
  const responses = operation['responses'] as Record<string, Json | undefined>;
  for (const { status, description, applies } of ERRORS) {
    if (applies(route)) responses[status] ??= { description };
  }
  const told = new Set<ErrorCode>();
  for (const [status, response] of Object.entries(responses)) {
    if (!response || Number(status) < 400) continue;
    const codes = codesOf(route, Number(status));
    for (const code of codes) told.add(code);
    responses[status] = errorResponse(status, String(response['description']), codes);
  }
  operation[ERROR_CODES] = CODES.filter((code) => told.has(code));
}

function codesOf({ keyed, declared }: Route, status: number): ErrorCode[] {
  const answers = (code: ErrorCode) =>
    !DECLARED.has(code) || declared.includes(code) || (keyed && KEYED.includes(code));
  return CODES.filter((code) => ERROR_STATUS[code] === status && answers(code));
}

function errorResponse(status: string, description: string, codes: readonly ErrorCode[]): Json {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return {
    description,
    [ERROR_CODES]: codes,
    headers: {
      ...(status === '401' ? headers('WWW-Authenticate') : {}),
      ...(codes.some((code) => RETRIED.has(code)) ? headers('Retry-After') : {}),
      ...(status === '429' ? headers('RateLimit-Policy', 'RateLimit') : {}),
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorBody' },
        examples: Object.fromEntries(examples) as Json,
      },
    },
  };
}

/** References to headers of the components. */
export function headers(...names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
