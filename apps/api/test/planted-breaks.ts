import {
  at,
  create,
  drop,
  get,
  names,
  parameter,
  parameters,
  read,
  readField,
  ref,
  sent,
  sentField,
  told,
  values,
  type Json,
  type Change,
} from './planted-description';

const GET = 'GET /parties/{id}';
const CREATE = 'POST /parties/create';
const REQUEST = `${CREATE}, request: CreateParty`;
const ANSWER = `${GET}, answer 200: Party`;

/**
 * Breaking changes, each with the lines that must report it. For a shared schema, only the first line is
 * given.
 */
export const BREAKING: Readonly<Record<string, readonly [Change, ...lines: string[]]>> = {
  'a path that is gone': [({ paths }) => drop(paths, '/health'), 'GET /health, operation: is gone'],
  'a path with another name': [
    ({ paths }) => {
      paths['/partners/{id}'] = at(paths, '/parties/{id}') as Record<string, Json>;
      drop(paths, '/parties/{id}');
    },
    `${GET}, operation: is gone`,
  ],
  'an operation that is gone': [
    ({ paths }) => drop(at(paths, '/parties/create'), 'post'),
    `${CREATE}, operation: is gone`,
  ],
  'a required field that only one of two forms of an answer has': [
    (d) => {
      const { properties, required } = read(d) as { properties: Json; required: string[] };
      const { status: _, ...others } = properties;
      const rest = { type: 'object', required: ['id'], properties: others };
      at(d.components.schemas, 'Party')['allOf'] = [
        ref('Named'),
        { oneOf: [{ type: 'object', required, properties }, rest] },
      ];
    },
    `${ANSWER}.status is gone`,
  ],
  'an optional field that no form of an answer has': [
    (d) => {
      const { properties, required } = read(d) as { properties: Json; required: string[] };
      const { since: _, ...others } = properties;
      const form = { type: 'object', required, properties: others };
      at(d.components.schemas, 'Party')['allOf'] = [ref('Named'), { oneOf: [form, form] }];
    },
    `${ANSWER}.since is gone`,
  ],
  'a field of an answer that is gone': [
    (d) => drop(at(read(d), 'properties'), 'since'),
    `${ANSWER}.since is gone`,
  ],
  'a field of an answer with another name': [
    ({ components }) => {
      at(components.schemas, 'Named')['properties'] = { title: { type: 'string' } };
      at(components.schemas, 'Named')['required'] = ['title'];
    },
    `${ANSWER}.name is gone`,
    `party.created, event: Named.name is gone`,
  ],
  'a field deep in a recursive answer': [
    (d) => (readField(d, 'parents')['items'] = { type: 'string' }),
    `${ANSWER}.parents[] can now be string`,
  ],
  'a field of an answer that may be missing': [
    (d) => names(read(d)).pop(),
    `${ANSWER}.status can be missing`,
  ],
  'another type in an answer': [
    (d) => (readField(d, 'id')['type'] = 'string'),
    `${ANSWER}.id can now be string`,
  ],
  'a wider type in an answer': [
    (d) => (readField(d, 'total')['type'] = 'number'),
    `${ANSWER}.total can now be number`,
  ],
  'null in an answer': [
    (d) => (readField(d, 'total')['type'] = ['integer', 'null']),
    `${ANSWER}.total can now be null`,
  ],
  'null in an answer, as OpenAPI 3.0 writes it': [
    (d) => (readField(d, 'since')['nullable'] = true),
    `${ANSWER}.since can now be null`,
  ],
  'a further value in an answer': [
    (d) => values(readField(d, 'status')).push('held'),
    `${ANSWER}.status can now be "held"`,
  ],
  'any value in an answer': [
    (d) => drop(readField(d, 'status'), 'enum'),
    `${ANSWER}.status can now have other values`,
  ],
  'another format in an answer': [
    (d) => (readField(d, 'since')['format'] = 'date-time'),
    `${ANSWER}.since format was "date", and is "date-time"`,
  ],
  'a longer text in an answer': [
    (d) => (at(readField(d, 'note'), 'anyOf', 0)['maxLength'] = 20),
    `${ANSWER}.note the maxLength was 10, and is 20`,
  ],
  'another type of the values of a map': [
    (d) => (readField(d, 'rates')['additionalProperties'] = { type: 'string' }),
    `${ANSWER}.rates.* can now be string`,
  ],
  'another status of success': [
    (d) => {
      const responses = at(create(d), 'responses');
      responses['200'] = responses['201'];
      drop(responses, '201');
    },
    `${CREATE}, answer 201: is gone`,
  ],
  'a header of an answer that is gone': [
    (d) => drop(at(get(d), 'responses', '200', 'headers'), 'RateLimit'),
    `${GET}, answer 200: header ratelimit is gone`,
  ],
  'a media type of an answer that is gone': [
    (d) => drop(at(get(d), 'responses', '200', 'content'), 'text/csv'),
    `${GET}, answer 200: text/csv is gone`,
  ],
  'another media type of a request': [
    (d) => (at(create(d), 'requestBody')['content'] = { 'text/xml': {} }),
    `${CREATE}, request: application/json is gone`,
  ],
  'a new required field of a request': [
    (d) => {
      at(sent(d), 'properties')['taxId'] = { type: 'string' };
      names(sent(d)).push('taxId');
    },
    `${REQUEST}.taxId is required`,
  ],
  'an optional field of a request that becomes required': [
    (d) => names(sent(d)).push('kind'),
    `${REQUEST}.kind is required`,
  ],
  'a field required by a component of a component': [
    ({ components }) => names(at(components.schemas, 'Address')).push('street'),
    `${CREATE}, request: Address.street is required`,
  ],
  'a field of a request that is gone': [
    (d) => drop(at(sent(d), 'properties'), 'code'),
    `${REQUEST}.code is gone`,
  ],
  'a body that becomes required': [
    (d) => (at(create(d), 'requestBody')['required'] = true),
    `${CREATE}, request: a body is required`,
  ],
  'null that a request may no longer contain': [
    (d) => (sentField(d, 'email')['type'] = 'string'),
    `${REQUEST}.email null is no longer accepted`,
  ],
  'a narrower type in a request': [
    (d) => (sentField(d, 'credit')['type'] = 'integer'),
    `${REQUEST}.credit number is no longer accepted`,
  ],
  'one of two forms that is gone': [
    (d) => (at(sentField(d, 'contact'), 'oneOf') as unknown as unknown[]).shift(),
    `${REQUEST}.contact string is no longer accepted`,
  ],
  'a value that a request may no longer contain': [
    (d) => values(sentField(d, 'kind')).pop(),
    `${REQUEST}.kind "vendor" is no longer accepted`,
  ],
  'a list of values where any was accepted': [
    (d) => (sentField(d, 'code')['enum'] = ['A']),
    `${REQUEST}.code only takes ["A"]`,
  ],
  'a shorter text': [
    (d) => (sentField(d, 'name')['maxLength'] = 99),
    `${REQUEST}.name the maxLength was 100, and is 99`,
  ],
  'a smaller maximum': [
    (d) => (sentField(d, 'credit')['maximum'] = 999),
    `${REQUEST}.credit the upper bound was 1000, and is 999`,
  ],
  'a bound that excludes itself': [
    (d) => {
      drop(sentField(d, 'credit'), 'minimum');
      sentField(d, 'credit')['exclusiveMinimum'] = 0;
    },
    `${REQUEST}.credit the lower bound was 0, and is 0 (excluded)`,
  ],
  'fewer entries': [
    (d) => (sentField(d, 'tags')['maxItems'] = 4),
    `${REQUEST}.tags the maxItems was 5, and is 4`,
  ],
  'entries that must be longer': [
    (d) => (at(sentField(d, 'tags'), 'items')['minLength'] = 1),
    `${REQUEST}.tags[] the minLength was 0, and is 1`,
  ],
  'another pattern': [
    (d) => (sentField(d, 'code')['pattern'] = '^[A-F]+$'),
    `${REQUEST}.code pattern was "^[A-Z]+$", and is "^[A-F]+$"`,
  ],
  'a format that a request must have': [
    (d) => (sentField(d, 'email')['format'] = 'email'),
    `${REQUEST}.email format was free, and is "email"`,
  ],
  'a keyword that the comparison does not understand': [
    (d) => (sentField(d, 'name')['not'] = { const: 'x' }),
    `${REQUEST}.name not was free, and is {"const":"x"}`,
  ],
  'a new required parameter': [
    (d) => parameters(d).push({ name: 'year', in: 'query', required: true, schema: { type: 'integer' } }),
    `${GET}, query parameter: year is required`,
  ],
  'a parameter that becomes required': [
    (d) => (parameter(d, 1)['required'] = true),
    `${GET}, query parameter: limit is required`,
  ],
  'a parameter that is gone': [(d) => parameters(d).pop(), `${GET}, query parameter: sortBy is gone`],
  'a smaller maximum of a parameter': [
    (d) => (at(parameter(d, 1), 'schema')['maximum'] = 100),
    `${GET}, query parameter limit: the upper bound was 200, and is 100`,
  ],
  'another default': [
    (d) => (at(parameter(d, 1), 'schema')['default'] = 20),
    `${GET}, query parameter limit: the default was 50, and is 20`,
  ],
  'a parameter that is written in another way': [
    (d) => (parameter(d, 2)['explode'] = false),
    `${GET}, query parameter: sortBy explode differs`,
  ],
  'a key where none was needed': [
    ({ paths }) => drop(at(paths, '/health', 'get'), 'security'),
    'GET /health, security: {} no longer suffices',
  ],
  'a second key': [
    (d) => (get(d)['security'] = [{ apiKey: [], other: [] }]),
    `${GET}, security: {"apiKey":[]} no longer suffices`,
  ],
  'another way of sending the key': [
    ({ components }) => (components.securitySchemes.apiKey = { type: 'apiKey', in: 'header', name: 'X-Key' }),
    `${GET}, security: apiKey is another scheme`,
    `${CREATE}, security: apiKey is another scheme`,
  ],
  'an event that is gone': [
    ({ webhooks }) => drop(webhooks, 'party.deleted'),
    'party.deleted, event: is gone',
  ],
  'a field of an event that is gone': [
    (d) => drop(at(told(d), 'properties'), 'at'),
    'party.created, event: PartyEvent.data.at is gone',
  ],
  'a field of an event that may be missing': [
    (d) => (told(d)['required'] = []),
    'party.created, event: PartyEvent.data.party can be missing',
  ],
  'a header of an event that is gone': [
    ({ webhooks }) => (at(webhooks, 'party.created', 'post')['parameters'] = []),
    'party.created, header: Signature is gone',
  ],
};
