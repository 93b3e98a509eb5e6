import type { OpenAPIObject } from '@nestjs/swagger';

type Json = Record<string, unknown>;

const HEADER = {
  description:
    'Only there if the request has parameters of the query or fields of the body that the route does not know. They were ignored; with Prefer: handling=strict, the request is refused.',
  schema: { type: 'string', maxLength: 1_100 },
  example: 'sort, items[0].qty',
} as const;
const REFERENCE = { 'Ignored-Fields': { $ref: '#/components/headers/IgnoredFields' } };
const MAY_HAVE_IT = /^(2\d\d|400)$/;

/** Describes the header `Ignored-Fields` of every operation (contract §1.11). */
export function describeIgnoredFields(document: OpenAPIObject): OpenAPIObject {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item) as Json[]);
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses as Record<string, Json>)) {
      if (!MAY_HAVE_IT.test(status)) continue;
      response['headers'] = { ...(response['headers'] as Json | undefined), ...REFERENCE };
    }
  }
  const { headers, ...others } = document.components ?? {};
  return { ...document, components: { ...others, headers: { ...headers, IgnoredFields: HEADER } } };
}
