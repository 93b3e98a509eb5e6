import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

type Json = Record<string, unknown>;

/** The part of an operation in the OpenAPI description that the tests read. */
export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Json };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly description: string;
  readonly content?: Json;
  readonly 'x-error-codes'?: readonly string[];
}

export interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Json; readonly responses?: Readonly<Record<string, Response>> };
}

/** Puts the responses that operations share into each of them. */
export function withOwnResponses(description: OpenApi): OpenApi {
  const own = (response: Response): Response => {
    const { $ref } = response as { readonly $ref?: string };
    return $ref === undefined ? response : description.components.responses![$ref.split('/').at(-1)!]!;
  };
  const paths = mapValues(description.paths, (item) =>
    mapValues(item, (operation) => ({ ...operation, responses: mapValues(operation.responses, own) })),
  );
  return { ...description, paths };
}

const mapValues = <One, Other>(object: Readonly<Record<string, One>>, change: (value: One) => Other) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));

const ID = 'https://counterfoil.test/openapi.json';

/** Validates real bodies against the schemas of the description. */
export class DocumentedSchemas {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(description: OpenApi) {
    addFormats.default(this.ajv);
    this.ajv.addSchema(closed(withOwnResponses(description)) as Json, ID);
  }

  /**
   * Validates a body against the schema at this position of the description. Returns its problems; none if it
   * is valid.
   */
  problemsOf(body: unknown, ...place: string[]): string[] {
    const pointer = place.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
    const validate = this.compiled.get(pointer) ?? this.ajv.compile({ $ref: `${ID}#/${encodeURI(pointer)}` });
    this.compiled.set(pointer, validate);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}

/** Asserts that the description has the code of an error among those of its response. */
export function expectDescribedCode(
  description: OpenApi,
  [path, method, status]: readonly [path: string, method: string, status: number],
  text: string,
): void {
  if (status < 400) return;
  const { code } = JSON.parse(text) as { code: string };
  const { paths } = withOwnResponses(description);
  const codes = paths[path]?.[method]?.responses[status]?.['x-error-codes'] ?? [];
  expect({ path, method, status, code, isDescribed: codes.includes(code) }).toMatchObject({
    isDescribed: true,
  });
}

/**
 * Forbids additional fields. Clients must accept unknown fields, but in a test an undocumented field is an
 * error.
 */
export function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, child]) => [key, closed(child)]);
  const copy = Object.fromEntries(entries) as Json;
  const isSchema = copy['type'] === 'object' && typeof copy['properties'] === 'object';
  return isSchema ? { ...copy, additionalProperties: false } : copy;
}
