import { STATUS_CODES } from 'node:http';
import type { ErrorCode } from '@counterfoil/kernel';
import type { OpenAPIObject } from '@nestjs/swagger';
import { LIST_SCHEMAS } from '../http/answers';
import { ERROR_CODES } from '../http/error-body';
import { describeSamples } from './code-samples';
import { describeErrors, headers, type Route } from './describe-errors';
import { describeEvents, eventSchemas } from './describe-events';
import { describeExamples } from './describe-examples';
import { RESPONSE_HEADERS } from './describe-headers';
import { errorExamples, ERROR_GUIDE } from './error-guide';
import { type Json, mapSchemas } from './map-schemas';
import { ENUM_SCHEMAS, withNamedEnum } from './named-enums';
import { orderOperations } from './order-operations';
import { shareErrors } from './share-responses';
import { inTermsOf31 } from './terms-of-31';

const METHODS_WITH_BODY = new Set(['post', 'put', 'patch']);
/** A permanent alias of `/webhooks` (contract §1.10). */
const ALIAS = '/gateway/webhooks';

/**
 * Completes the output of the decorators with what they cannot express: the common errors and headers of all routes,
 * aliases, named enums, and the events for receivers.
 */
export function finishOpenApi(document: OpenAPIObject): OpenAPIObject {
  const publicUrl = String(document.servers?.[0]?.url);
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item as Record<string, Json>)) {
      describeExamples(operation);
      if (path.startsWith(ALIAS)) describeAlias(path, method, operation);
      else describeSamples({ method, path, operation }, publicUrl);
      describeErrors(routeOf(path, method, operation), operation);
      describeHeaders(operation);
      describeStatuses(operation);
    }
  }
  const { components, paths, ...rest } = document;
  const guide = `${publicUrl}/docs/guides/errors`;
  const finished = mapSchemas(
    {
      ...rest,
      paths: orderOperations(paths),
      webhooks: describeEvents(),
      components: {
        ...components,
        schemas: { ...components?.schemas, ...Object.fromEntries(LIST_SCHEMAS), ...eventSchemas() },
        responses: shareErrors(Object.values(paths).flatMap((item) => Object.values(item as Json) as Json[])),
        headers: RESPONSE_HEADERS,
        examples: errorExamples(guide),
      },
    },
    (schema) => withNamedEnum(inTermsOf31(schema)),
  );
  Object.assign(finished.components.schemas, ENUM_SCHEMAS, { ErrorCode: errorCodes(guide) });
  return finished as unknown as OpenAPIObject;
}

/** The enum of the error codes, with the cause of each, and a link to what to do about it. */
function errorCodes(guide: string): Json {
  const causes = Object.entries(ERROR_GUIDE).map(([code, { cause }]) => [
    code,
    `${cause} [More](${guide}#${code})`,
  ]);
  return {
    ...ENUM_SCHEMAS['ErrorCode'],
    description: `[Every code](${guide}), with its cause and what to do about it.`,
    externalDocs: { url: guide, description: 'Errors' },
    'x-enumDescriptions': Object.fromEntries(causes) as Json,
  };
}

function describeAlias(path: string, method: string, operation: Json): void {
  const original = path.replace(ALIAS, '/webhooks');
  operation['operationId'] = String(operation['operationId']).replace(/^webhooks\./, 'gatewayWebhooks.');
  operation['description'] = `Alias of \`${method.toUpperCase()} ${original}\`. Use that one.`;
  operation['deprecated'] = true;
}

function routeOf(path: string, method: string, operation: Json): Route {
  const parameters = (operation['parameters'] ?? []) as readonly Json[];
  return {
    path,
    writes: METHODS_WITH_BODY.has(method),
    open: isOpen(operation),
    answersNull: answersNull(operation),
    keyed: parameters.some(({ name }) => name === 'Idempotency-Key'),
    declared: (operation[ERROR_CODES] ?? []) as readonly ErrorCode[],
  };
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

/** Adds the headers that every response has, and those of responses of a route that is counted. */
function describeHeaders(operation: Json): void {
  for (const [status, response] of Object.entries(operation['responses'] as Record<string, Json>)) {
    const counted = status.startsWith('2') && !isOpen(operation) ? ['RateLimit-Policy', 'RateLimit'] : [];
    const ignored = /^(2\d\d|400)$/.test(status) ? ['Ignored-Fields', 'Preference-Applied'] : [];
    const own = response['headers'] as Json;
    response['headers'] = { ...headers('X-Request-Id', ...counted, ...ignored), ...own };
  }
}

/** Gives a response without a description the name of its status, which readers would otherwise see with nothing. */
function describeStatuses(operation: Json): void {
  for (const [status, response] of Object.entries(operation['responses'] as Record<string, Json>)) {
    if (response['description'] === '') response['description'] = STATUS_CODES[status];
  }
}
