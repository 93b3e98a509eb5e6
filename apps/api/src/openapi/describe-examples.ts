import examples from './examples.json';
import type { Json } from './map-schemas';

/** A call of a running service. `examples.json` has such calls in order of their dependencies, recorded by a test. */
export interface ExampleCall {
  /** The `operationId`. */
  readonly operation: string;
  /** Distinguishes the examples of one operation. */
  readonly name?: string;
  /** The values of the parameters in the path. */
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  /** The `Idempotency-Key`. A second call with the same key is answered with the first response. */
  readonly key?: string;
  /** False if the call only prepares another one. */
  readonly isShown?: boolean;
  readonly status: number;
  readonly answer: unknown;
}

export const EXAMPLE_CALLS = examples as readonly ExampleCall[];

/** Adds the recorded calls of an operation to its parameters, its request and its responses. */
export function describeExamples(operation: Json): void {
  const operationId = String(operation['operationId']);
  const calls = EXAMPLE_CALLS.filter((call) => call.operation === operationId && call.isShown !== false);
  describeParameters(calls, operation);
  const sent = calls.filter(({ body }) => body !== undefined);
  addExamples(
    operation['requestBody'],
    valuesOf(sent, ({ body }) => body),
  );
  for (const [status, response] of Object.entries(operation['responses'] as Json)) {
    const answered = calls.filter((call) => String(call.status) === status);
    const values = valuesOf(answered, ({ answer }) => answer);
    addExamples(response, values);
  }
}

function describeParameters(calls: readonly ExampleCall[], operation: Json): void {
  for (const parameter of (operation['parameters'] ?? []) as Json[]) {
    const name = String(parameter['name']);
    const values = calls.map(({ path, query }) => (parameter['in'] === 'path' ? path : query)?.[name]);
    const value = values.find((one) => one !== undefined);
    if (value !== undefined && parameter['in'] !== 'header') parameter['example'] = value;
  }
}

/** The values by the names of their calls. Of calls with one name, the first has its value. */
function valuesOf(
  calls: readonly ExampleCall[],
  valueOf: (call: ExampleCall) => unknown,
): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const call of calls) {
    const name = call.name ?? 'example';
    if (!values.has(name)) values.set(name, valueOf(call));
  }
  return values;
}

/** Adds examples to the only media type of a request or of a response. */
function addExamples(described: unknown, values: ReadonlyMap<string, unknown>): void {
  const media = mediaOf(described);
  const [first, ...others] = values;
  if (!media || !first) return;
  if (others.length === 0) media['example'] = first[1];
  else media['examples'] = Object.fromEntries([...values].map(([name, value]) => [keyOf(name), { value }]));
}

const mediaOf = (described: unknown): Json | undefined =>
  Object.values((described as { content?: Record<string, Json> } | undefined)?.content ?? {})[0];

/** A name as a key of `examples`: a letter, then letters, digits and hyphens. */
const keyOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');
