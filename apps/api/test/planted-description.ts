export type Json = Record<string, unknown>;

export const body = (schema: Json) => ({ 'application/json': { schema } });
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

export const query = (name: string, schema: Json, more: Json = {}) => ({
  name,
  in: 'query',
  schema,
  ...more,
});

/** A small description with every form that the comparison must handle. */
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
            headers: { RateLimit: { schema: { type: 'string' } } },
            content: { ...body(ref('Party')), 'text/csv': { schema: { type: 'string' } } },
          },
          '404': { description: 'x', content: body(ref('ErrorBody')) },
        },
      },
    },
    '/parties/create': {
      post: {
        operationId: 'Parties.create',
        requestBody: { required: false, content: body(ref('CreateParty')) },
        responses: { '201': { description: 'x', content: body(ref('Party')) } },
      },
    },
    '/health': { get: { operationId: 'Health.get', security: [] as Json[], responses: {} } },
  } as Record<string, Record<string, Json>>,
  webhooks: {
    'party.created': {
      post: {
        parameters: [{ name: 'Signature', in: 'header', required: true, schema: { type: 'string' } }],
        requestBody: { content: body(ref('PartyEvent')) },
        responses: { '200': { description: 'x' } },
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
export type Change = (description: Description) => unknown;

/** Returns the object at a path in the description, so that a change is a simple assignment. */
export const at = (node: object, ...steps: readonly (string | number)[]): Json =>
  steps.reduce<unknown>((one, step) => (one as Json)[step], node) as Json;
export const drop = (node: object, name: string) => Reflect.deleteProperty(node, name);

export const sent = ({ components }: Description) => at(components.schemas, 'CreateParty');
export const sentField = (description: Description, name: string) =>
  at(sent(description), 'properties', name);
export const read = ({ components }: Description) => at(components.schemas, 'Party', 'allOf', 1);
export const readField = (description: Description, name: string) =>
  at(read(description), 'properties', name);
export const told = ({ components }: Description) =>
  at(components.schemas, 'PartyEvent', 'properties', 'data');
export const get = ({ paths }: Description) => at(paths, '/parties/{id}', 'get');
export const create = ({ paths }: Description) => at(paths, '/parties/create', 'post');
export const parameter = (description: Description, index: number) =>
  at(get(description), 'parameters', index);
export const values = (node: Json) => node['enum'] as unknown[];
export const names = (node: Json) => node['required'] as string[];
export const parameters = (description: Description) => get(description)['parameters'] as Json[];
