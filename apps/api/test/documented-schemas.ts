import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

type Json = Record<string, unknown>;

/** An operation of the OpenAPI description, as far as the tests read it. */
export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Json };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Json }>>;
}

export interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Json };
}

const ID = 'https://counterfoil.test/openapi.json';

/** Checks real bodies against the schemas that the description gives for them. */
export class DocumentedSchemas {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(description: OpenApi) {
    addFormats.default(this.ajv);
    this.ajv.addSchema(closed(description) as Json, ID);
  }

  /** Validates a body against the schema at this place of the description. Empty: valid. */
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

/** Readers must take unknown fields; a test must not: a field that is sent and not documented is a mistake here. */
export function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, child]) => [key, closed(child)]);
  const copy = Object.fromEntries(entries) as Json;
  const isSchema = copy['type'] === 'object' && typeof copy['properties'] === 'object';
  return isSchema ? { ...copy, additionalProperties: false } : copy;
}
