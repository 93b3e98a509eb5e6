type Json = Record<string, unknown>;

const body = (schema: Json) => ({ 'application/json': { schema } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const query = (name: string, schema: Json, more: Json = {}) => ({ name, in: 'query', schema, ...more });

/** A small description with each form that the comparison must understand. */
export const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Planted', version: '1' },
  security: [{ apiKey: [] }] as Json[],
  paths: {
    '/parties/{id}': {
      get: {
        operationId: 'Parties.get',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          query('limit', { type: 'integer', minimum: 1, maximum: 200, default: 50 }),
          query('sortBy', { type: 'string', enum: ['name', 'id'] }),
        ] as Json[],
        responses: {
          '200': {
            description: 'x',
            headers: { RateLimit: { schema: { type: 'string' } } } as Json,
            content: { ...body(ref('Party')), 'text/csv': { schema: { type: 'string' } } } as Json,
          },
          '404': { description: 'x', content: body(ref('ErrorBody')) },
        } as Record<string, Json>,
      },
    },
    '/parties/create': {
      post: {
        operationId: 'Parties.create',
        requestBody: { required: false, content: body(ref('CreateParty')) } as Json,
        responses: { '201': { description: 'x', content: body(ref('Party')) } } as Record<string, Json>,
      },
    },
    '/health': { get: { operationId: 'Health.get', security: [] as Json[], responses: {} } },
  } as Record<string, Record<string, Json>>,
  webhooks: {
    'party.created': {
      post: {
        parameters: [{ name: 'Signature', in: 'header', required: true, schema: { type: 'string' } }],
        requestBody: { content: body(ref('PartyEvent')) },
        responses: { '200': { description: 'x' } } as Json,
      },
    },
    'party.deleted': { post: { requestBody: { content: body(ref('PartyEvent')) }, responses: {} } },
  } as Record<string, Record<string, Json>>,
  components: {
    securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } as Json },
    schemas: {
      CreateParty: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 100 },
          kind: { type: 'string', enum: ['client', 'vendor'] },
          credit: { type: 'number', minimum: 0, maximum: 1000 },
          email: { type: ['string', 'null'] },
          tags: { type: 'array', maxItems: 5, items: { type: 'string' } },
          address: { allOf: [ref('Address')], description: 'x' },
          code: { type: 'string', pattern: '^[A-Z]+$' },
          contact: { oneOf: [{ type: 'string' }, ref('Address')] },
        },
      },
      Party: {
        allOf: [
          ref('Named'),
          {
            type: 'object',
            required: ['id', 'status'],
            properties: {
              id: { type: 'integer' },
              status: { type: 'string', enum: ['open', 'closed'] },
              since: { type: 'string', format: 'date' },
              note: { anyOf: [{ type: 'string', maxLength: 10 }, { type: 'null' }] },
              total: { type: 'integer' },
              parents: { type: 'array', items: ref('Party') },
              rates: { type: 'object', additionalProperties: { type: 'number' } },
            },
          },
        ],
      },
      Named: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      Address: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
      ErrorBody: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } },
      PartyEvent: {
        type: 'object',
        required: ['type', 'data'],
        properties: {
          type: { type: 'string', enum: ['party.created', 'party.deleted'] },
          data: {
            type: 'object',
            required: ['party'],
            properties: { party: ref('Named'), at: { type: 'string' } },
          },
        },
      },
    } as Record<string, Json>,
  },
};

export type Description = typeof DESCRIPTION;
type Change = (description: Description) => unknown;

/** The object at the end of a path through the description, so that a change reads as an assignment. */
const at = (node: object, ...steps: readonly (string | number)[]): Json =>
  steps.reduce<unknown>((one, step) => (one as Json)[step], node) as Json;
const drop = (node: object, name: string) => Reflect.deleteProperty(node, name);

const sent = ({ components }: Description) => at(components.schemas, 'CreateParty');
const sentField = (description: Description, name: string) => at(sent(description), 'properties', name);
const read = ({ components }: Description) => at(components.schemas, 'Party', 'allOf', 1);
const readField = (description: Description, name: string) => at(read(description), 'properties', name);
const told = ({ components }: Description) => at(components.schemas, 'PartyEvent', 'properties', 'data');
const get = ({ paths }: Description) => at(paths, '/parties/{id}', 'get');
const create = ({ paths }: Description) => at(paths, '/parties/create', 'post');
const parameter = (description: Description, index: number) => at(get(description), 'parameters', index);
const values = (node: Json) => node['enum'] as unknown[];
const names = (node: Json) => node['required'] as string[];
const parameters = (description: Description) => get(description)['parameters'] as Json[];

const GET = 'GET /parties/{id}';
const CREATE = 'POST /parties/create';
const REQUEST = `${CREATE}, request: CreateParty`;
const ANSWER = `${GET}, answer 200: Party`;

/** Changes that break somebody, each with the lines that must report it: the first of them, where a schema is shared. */
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
  'an operation with another name in generated clients': [
    (d) => (get(d)['operationId'] = 'Parties.read'),
    `${GET}, operation: operationId was Parties.get, and is Parties.read`,
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
  'a status that is gone': [(d) => drop(at(get(d), 'responses'), '404'), `${GET}, answer 404: is gone`],
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

/** Changes that nobody notices who reads tolerantly and sends the same as before. */
export const COMPATIBLE: Readonly<Record<string, Change>> = {
  nothing: () => undefined,
  'a new operation': ({ paths }) =>
    (at(paths, '/health')['post'] = { operationId: 'Health.post', responses: {} }),
  'a new path': ({ paths }) => (paths['/more'] = { get: { operationId: 'More.get', responses: {} } }),
  'another name of a parameter in the path': ({ paths }) => {
    const item = at(paths, '/parties/{id}');
    at(item, 'get', 'parameters', 0)['name'] = 'visibleId';
    paths['/parties/{visibleId}'] = item as Record<string, Json>;
    drop(paths, '/parties/{id}');
  },
  'a new optional field of a request': (d) => (at(sent(d), 'properties')['phone'] = { type: 'string' }),
  'a new field of an answer, always there': (d) => {
    at(read(d), 'properties')['phone'] = { type: 'string' };
    names(read(d)).push('phone');
  },
  'a new optional parameter': (d) => parameters(d).push({ name: 'year', in: 'query', schema: {} }),
  'a field of a request that becomes optional': (d) => (sent(d)['required'] = []),
  'a field of an answer that is always there': (d) => names(read(d)).push('since'),
  'null in a request': (d) => (sentField(d, 'code')['type'] = ['string', 'null']),
  'null that an answer no longer contains': (d) =>
    (at(readField(d, 'note'), 'anyOf') as unknown as unknown[]).pop(),
  'a further value in a request': (d) => values(sentField(d, 'kind')).push('partner'),
  'a value that an answer no longer contains': (d) => values(readField(d, 'status')).pop(),
  'a wider type in a request': (d) => (at(parameter(d, 0), 'schema')['type'] = ['integer', 'string']),
  'a further form in a request': (d) =>
    (at(sentField(d, 'contact'), 'oneOf') as unknown as unknown[]).push({ type: 'integer' }),
  'looser bounds in a request': (d) => {
    Object.assign(sentField(d, 'name'), { minLength: 0, maxLength: 200 });
    Object.assign(sentField(d, 'credit'), { minimum: -1, maximum: 2000 });
    drop(sentField(d, 'tags'), 'maxItems');
    drop(sentField(d, 'code'), 'pattern');
  },
  'stricter bounds in an answer': (d) => {
    at(readField(d, 'note'), 'anyOf', 0)['maxLength'] = 5;
    Object.assign(readField(d, 'total'), { minimum: 0, maximum: 5 });
  },
  'an exclusive bound of integers, written another way': (d) => {
    drop(at(parameter(d, 1), 'schema'), 'minimum');
    at(parameter(d, 1), 'schema')['exclusiveMinimum'] = 0;
  },
  'null, written another way': (d) => {
    drop(readField(d, 'note'), 'anyOf');
    Object.assign(readField(d, 'note'), { type: ['string', 'null'], maxLength: 10 });
  },
  'null, as OpenAPI 3.0 writes it': (d) =>
    Object.assign(sentField(d, 'email'), { type: 'string', nullable: true }),
  'a schema without its allOf': (d) => {
    const { properties, required } = read(d) as { properties: Json; required: string[] };
    d.components.schemas['Party'] = {
      type: 'object',
      required: ['name', ...required],
      properties: { ...properties, name: { type: 'string' } },
    };
  },
  'a component with another name': (d) => {
    d.components.schemas['Place'] = at(d.components.schemas, 'Address');
    drop(d.components.schemas, 'Address');
    Object.assign(sentField(d, 'address'), { allOf: [ref('Place')] });
    at(sentField(d, 'contact'), 'oneOf')[1] = ref('Place');
  },
  'a component in place of what it says': (d) => {
    d.components.schemas['Contact'] = { oneOf: [{ type: 'string' }, ref('Address')] };
    at(sent(d), 'properties')['contact'] = ref('Contact');
  },
  'one value, written as a constant': (d) => {
    drop(readField(d, 'status'), 'enum');
    readField(d, 'status')['const'] = 'open';
  },
  'a further status': (d) => (at(get(d), 'responses')['409'] = { description: 'x' }),
  'a further header and media type of an answer': (d) => {
    at(get(d), 'responses', '200', 'headers')['Age'] = { schema: { type: 'integer' } };
    at(get(d), 'responses', '200', 'content')['text/html'] = {};
  },
  'a further media type of a request': (d) => (at(create(d), 'requestBody', 'content')['text/xml'] = {}),
  'no key where one was needed': (d) => (get(d)['security'] = []),
  'another kind of key as well': (d) => (get(d)['security'] = [{ other: [] }, { apiKey: [] }]),
  'a new event, and its name in the list of all': ({ webhooks, components }) => {
    webhooks['party.merged'] = at(webhooks, 'party.deleted') as Record<string, Json>;
    values(at(components.schemas, 'PartyEvent', 'properties', 'type')).push('party.merged');
  },
  'a new field of an event': (d) => (at(told(d), 'properties')['by'] = { type: 'string' }),
  'other words, examples and orders': (d) => {
    get(d)['summary'] = 'Reads a party';
    Object.assign(sentField(d, 'name'), { description: 'y', example: 'Noa', deprecated: true, 'x-order': 1 });
    values(sentField(d, 'kind')).reverse();
    sent(d)['properties'] = Object.fromEntries(Object.entries(sent(d)['properties'] as Json).reverse());
    d.info.version = '2';
  },
};
