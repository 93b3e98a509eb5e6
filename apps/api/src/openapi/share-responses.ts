import { ERROR_CODES } from '../http/error-body';
import type { Json } from './map-schemas';

/**
 * Moves every error that several operations answer alike into the components, under the name of its codes. Written out
 * for each operation, the same few errors were half of the description.
 *
 * @returns the components by their names
 */
export function shareErrors(operations: readonly Json[]): Json {
  const names = namesOf(operations.flatMap((operation) => errorsOf(operation).map(([, error]) => error)));
  const shared: Json = {};
  for (const operation of operations) {
    const responses = operation['responses'] as Json;
    for (const [status, error] of errorsOf(operation)) {
      const name = names.get(JSON.stringify(error));
      if (name === undefined) continue;
      shared[name] = error;
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  return shared;
}

function errorsOf({ responses }: Json): [status: string, response: Json][] {
  return Object.entries(responses as Record<string, Json>).filter(([, response]) => ERROR_CODES in response);
}

/** The names of the errors that occur more than once. Of errors with the same codes, the most frequent one has a name. */
function namesOf(errors: readonly Json[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  const codes = new Map<string, readonly string[]>();
  for (const error of errors) {
    const text = JSON.stringify(error);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    codes.set(text, error[ERROR_CODES] as readonly string[]);
  }
  const frequent = [...counts].filter(([, count]) => count > 1).sort(([, one], [, other]) => other - one);
  const byName = new Map<string, string>();
  for (const [text] of frequent) {
    const name = codes.get(text)!.map(inWords).join('Or');
    if (!byName.has(name)) byName.set(name, text);
  }
  return new Map([...byName].map(([name, text]) => [text, name]));
}

/** `NOT_FOUND` as `NotFound`. */
function inWords(code: string): string {
  return code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
