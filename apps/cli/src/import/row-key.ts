import { createHash } from 'node:crypto';
import { isObject } from '../input-file';

/**
 * The `Idempotency-Key` of a row: the same content has the same key in every run and in every file, so that it is
 * created once. The order of fields does not matter, as in the service.
 */
export function rowKey(resource: string, body: unknown): string {
  const hash = createHash('sha256')
    .update(JSON.stringify(sorted(body)))
    .digest('hex');
  return `counterfoil-import/${resource}/${hash}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}
