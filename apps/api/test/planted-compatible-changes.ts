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

/** Changes that do not affect tolerant readers or existing requests. */
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
  'two forms of an answer, each with a part of the optional fields': (d) => {
    const { properties, required } = read(d) as { properties: Json; required: string[] };
    const { since, note, ...others } = properties;
    const form = (more: Json) => ({ type: 'object', required, properties: { ...others, ...more } });
    at(d.components.schemas, 'Party')['allOf'] = [ref('Named'), { oneOf: [form({ since }), form({ note })] }];
  },
  'an operation with another name in generated clients': (d) => (get(d)['operationId'] = 'parties.read'),
  'an error that is no longer answered': (d) => drop(at(get(d), 'responses'), '404'),
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
