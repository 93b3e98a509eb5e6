import { EVENT_CATALOGUE } from '@counterfoil/event-catalogue';
import { ERROR_STATUS } from '../http/error-body';
import { committedOpenApi } from './committed-openapi';
import { EXAMPLE_CALLS } from './describe-examples';

type Json = Record<string, unknown>;

interface Media {
  readonly schema: Json;
  readonly example?: unknown;
  readonly examples?: Json;
}

interface Response {
  readonly description: string;
  readonly headers?: Json;
  readonly content?: Readonly<Record<string, Media>>;
  readonly 'x-error-codes'?: readonly string[];
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters?: readonly (Json & {
    readonly name: string;
    readonly in: string;
    readonly schema: Json;
  })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-list'?: string;
  readonly 'x-error-codes': readonly string[];
}

interface Description {
  readonly info: Json;
  readonly externalDocs: Json;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly examples: Readonly<Record<string, { readonly value: Json }>>;
    readonly headers: Json;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, Json>>;
  };
}

let description: Description;
let operations: readonly (readonly [route: string, operation: Operation])[];

beforeAll(async () => {
  description = JSON.parse(await committedOpenApi()) as Description;
  operations = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
  expect(operations.length).toBeGreaterThan(100);
});

/** The names of the entries that do not pass. */
const failing = <Value>(
  entries: readonly (readonly [name: string, value: Value])[],
  passes: (value: Value, name: string) => boolean,
): string[] => entries.filter(([name, value]) => !passes(value, name)).map(([name]) => name);

/** A response of its own, or one that operations share. */
function resolved(response: Response): Response {
  const { $ref } = response as { readonly $ref?: string };
  return $ref === undefined ? response : description.components.responses[$ref.split('/').at(-1)!]!;
}

const responses = (): (readonly [place: string, response: Response, status: number])[] =>
  operations.flatMap(([route, operation]) =>
    Object.entries(operation.responses).map(
      ([status, response]) => [`${route} ${status}`, resolved(response), Number(status)] as const,
    ),
  );

const hasExample = ({ example, examples = {} }: Media): boolean =>
  example !== undefined || Object.keys(examples).length > 0;
const haveExamples = (content: Readonly<Record<string, Media>> = {}): boolean =>
  Object.values(content).every(hasExample);

describe('every operation', () => {
  it('has a unique id that a person would write: documents.create', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+\.[a-z][A-Za-z]+$/.test(id))).toEqual([]);
  });

  it('has a summary of at most five words without a full stop, and a description', () => {
    const isShort = ({ summary }: Operation) => summary.split(' ').length <= 5 && !summary.endsWith('.');
    expect(failing(operations, isShort)).toEqual([]);
    expect(failing(operations, (one) => one.description.endsWith('.'))).toEqual([]);
  });

  it('has one tag, which has a description; and no tag is without operations', () => {
    const used = operations.flatMap(([, { tags }]) => tags);
    expect(failing(operations, ({ tags }) => tags.length === 1)).toEqual([]);
    expect([...new Set([...used, 'Events'])].sort()).toEqual(description.tags.map(({ name }) => name).sort());
    expect(description.tags.filter((tag) => !tag.description)).toEqual([]);
  });

  it('is deprecated if it is an alias, and only then', () => {
    expect(
      failing(operations, (one, route) => (one.deprecated === true) === route.includes('/gateway/webhooks')),
    ).toEqual([]);
  });

  it('has an example for its request body, and one for every success', () => {
    expect(failing(operations, ({ requestBody }) => haveExamples(requestBody?.content))).toEqual([]);
    const successes = responses().filter(([, , status]) => status < 300);
    expect(
      failing(
        successes.map(([place, one]) => [place, one]),
        ({ content }) => haveExamples(content),
      ),
    ).toEqual([]);
  });

  it('has a description for every response', () => {
    const silent = responses().filter(([, { description }]) => description === '');
    expect(silent.map(([place]) => place)).toEqual([]);
  });

  it('has ids of one type', () => {
    const parameters = operations.flatMap(([route, one]) =>
      (one.parameters ?? []).map((parameter) => [`${route} ${parameter.name}`, parameter] as const),
    );
    const publicIds = parameters.filter(([, { name }]) => name === 'visibleId');
    expect(failing(publicIds, ({ schema }) => schema['format'] === 'uuid')).toEqual([]);
    const numeric = parameters.filter(
      ([, one]) => one.in === 'path' && /^(delivery|replay|file)Id$|^id$/.test(one.name),
    );
    expect(failing(numeric, ({ schema }) => schema['type'] === 'integer').sort()).toEqual(
      // These take a public id as well, or have ids with a prefix.
      operations
        .map(([route]) => `${route} id`)
        .filter((place) =>
          /^\w+ (\/documents\/(id\/)?\{id\}|\/products\/id|(\/gateway)?\/webhooks\/\{id\})/.test(place),
        )
        .sort(),
    );
  });
});

describe('every event', () => {
  it('has an example', () => {
    const events = Object.entries(description.webhooks);
    expect(events.map(([type]) => type)).toEqual(EVENT_CATALOGUE.types);
    expect(failing(events, ({ post }) => haveExamples(post.requestBody?.content))).toEqual([]);
  });
});

describe('every response', () => {
  it('has the request id among its headers, and only headers that are described', () => {
    const told = responses().map(([place, one]) => [place, one] as const);
    expect(failing(told, ({ headers }) => 'X-Request-Id' in (headers ?? {}))).toEqual([]);
    const names = told.flatMap(([, { headers }]) => Object.values(headers ?? {}));
    const references = names.flatMap((one) => (one as { $ref?: string }).$ref ?? []);
    expect(references.filter((one) => !(one.split('/').at(-1)! in description.components.headers))).toEqual(
      [],
    );
  });

  it('names the codes of an error, each with the status of the response and an example', () => {
    const errors = responses().filter(([, , status]) => status >= 400);
    expect(errors.length).toBeGreaterThan(500);
    const isTold = ([, response, status]: (typeof errors)[number]) => {
      const codes = response['x-error-codes'] ?? [];
      const examples = Object.keys(response.content?.['application/json']?.examples ?? {});
      const haveStatus = codes.every((code) => (ERROR_STATUS as Record<string, number>)[code] === status);
      return codes.length > 0 && haveStatus && JSON.stringify(codes) === JSON.stringify(examples);
    };
    expect(errors.filter((one) => !isTold(one)).map(([place]) => place)).toEqual([]);
  });

  it('has one of the codes of its operation', () => {
    expect(
      failing(operations, (one) => {
        const codes = Object.values(one.responses).flatMap(
          (response) => resolved(response)['x-error-codes'] ?? [],
        );
        return JSON.stringify([...codes].sort()) === JSON.stringify([...one['x-error-codes']].sort());
      }),
    ).toEqual([]);
  });

  it('is written once if several operations answer it alike', () => {
    const own = operations
      .flatMap(([, one]) => Object.values(one.responses))
      .filter((one) => !('$ref' in one));
    const texts = own.filter((one) => 'x-error-codes' in one).map((one) => JSON.stringify(one));
    expect(Object.keys(description.components.responses)).toContain(
      'ValidationFailedOrInvalidIdempotencyKey',
    );
    // Two operations of one kind may share a code with a more frequent error, which has the name.
    expect(texts.length).toBeLessThan(25);
  });

  it('leads to the page that explains its code', () => {
    const guide = 'http://127.0.0.1:3000/docs/guides/errors';
    const { externalDocs, 'x-enumDescriptions': causes } = description.components.schemas['ErrorCode']!;
    expect(externalDocs).toMatchObject({ url: guide });
    for (const code of Object.keys(ERROR_STATUS))
      expect((causes as Record<string, string>)[code]).toContain(`(${guide}#${code})`);
  });

  it('has an example for each error code, and no code is left out of the enum', () => {
    const codes = Object.keys(ERROR_STATUS);
    expect(description.components.schemas['ErrorCode']).toMatchObject({ type: 'string', enum: codes });
    const answered = codes.filter((code) => code !== 'METHOD_NOT_ALLOWED');
    expect(Object.keys(description.components.examples).sort()).toEqual(answered.sort());
    for (const code of answered) expect(description.components.examples[code]?.value).toMatchObject({ code });
  });
});

describe('every list', () => {
  it('says how it is read, in a named schema', () => {
    const lists = operations.filter(([, one]) => one['x-list'] !== undefined);
    expect(lists.length).toBeGreaterThan(30);
    const references = lists.map(([route, one]) => [
      route,
      JSON.stringify(one.responses['200']?.content?.['application/json']?.schema),
    ]);
    expect(references.filter(([, text = '']) => !text.includes('#/components/schemas/'))).toEqual([]);
    const named = Object.entries(description.components.schemas).filter(([, schema]) => 'x-list' in schema);
    const kindOf = (name: string) =>
      name.startsWith('PageOf') ? 'paged' : name.startsWith('ListOf') ? 'whole' : 'feed';
    expect(failing(named, (schema, name) => schema['x-list'] === kindOf(name))).toEqual([]);
  });

  it('tells the page of documents and the changes of documents apart', () => {
    const { schema } =
      description.paths['/documents']!['get']!.responses['200']!.content!['application/json']!;
    expect(schema).toEqual({
      oneOf: ['PageOfListedDocument', 'DocumentChanges'].map((name) => ({
        $ref: `#/components/schemas/${name}`,
      })),
    });
  });
});

describe('every enum', () => {
  /** The lists of values that no name stands for. */
  function unnamed(): string[] {
    const found: string[] = [];
    const search = (node: unknown, isNamed: boolean): void => {
      if (typeof node !== 'object' || node === null) return;
      const { enum: values, example: _, examples: __, ...rest } = node as Json;
      if (Array.isArray(values) && !isNamed)
        found.push(JSON.stringify(values.filter((value) => value !== null)));
      for (const child of Object.values(rest)) search(child, false);
    };
    search({ ...description, components: {} }, false);
    for (const schema of Object.values(description.components.schemas)) search(schema, 'enum' in schema);
    return found;
  }

  it('has a name if it is used twice', () => {
    const values = unnamed();
    expect(values.filter((one, index) => values.indexOf(one) !== index)).toEqual([]);
  });

  it('has a name that something refers to', () => {
    const text = JSON.stringify(description);
    const names = Object.entries(description.components.schemas).filter(([, schema]) => 'enum' in schema);
    expect(names.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'DocumentStatus',
        'DocumentType',
        'DocumentTypeInPath',
        'EventType',
        'MovementType',
      ]),
    );
    expect(failing(names, (_, name) => text.includes(`"#/components/schemas/${name}"`))).toEqual([]);
  });
});

describe('the description', () => {
  it('introduces the API, and calls the key what it is', () => {
    const text = JSON.stringify(description);
    expect(description.info).toMatchObject({
      contact: { name: expect.any(String) },
      license: { name: 'MIT' },
    });
    expect(description.externalDocs).toHaveProperty('url');
    expect(text).not.toMatch(/JWT|bearerFormat/);
    expect(description.components.securitySchemes).toEqual({
      apiKey: { type: 'http', scheme: 'bearer', description: expect.stringContaining('opaque') },
    });
  });

  it('has the recorded calls of every operation but the aliases', () => {
    const called = new Set(EXAMPLE_CALLS.map(({ operation }) => operation));
    const ids = operations.filter(([, one]) => !one.deprecated).map(([, { operationId }]) => operationId);
    expect(ids.filter((id) => !called.has(id))).toEqual([]);
  });
});

describe('the order of operations', () => {
  it('is that of their use, with aliases at the end', () => {
    const idsOf = (tag: string) =>
      operations.filter(([, { tags }]) => tags[0] === tag).map(([, { operationId }]) => operationId);
    expect(idsOf('Clients')).toEqual([
      ...['clients.create', 'clients.list', 'clients.get', 'clients.edit'],
      ...['clients.statement', 'clients.statementPdf'],
    ]);
    expect(idsOf('Documents')[0]).toBe('documents.create');
    expect(idsOf('Webhooks')[0]).toBe('webhooks.list');
    const aliases = idsOf('Webhooks').map((id) => id.startsWith('gatewayWebhooks'));
    expect(aliases.indexOf(true)).toBe(aliases.lastIndexOf(false) + 1);
  });
});
