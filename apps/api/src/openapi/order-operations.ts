import type { OpenAPIObject } from '@nestjs/swagger';
import type { Json } from './map-schemas';

/** The verbs of operations in the order of their use. Others come between these two lists. */
const FIRST = ['create', 'upload', 'attach', 'list', 'get', 'edit', 'replace', 'save'];
const LAST = ['cancel', 'close', 'pause', 'end', 'detach', 'revoke', 'delete'];

type Paths = OpenAPIObject['paths'];

/**
 * Orders paths as a reader needs them: those of one resource together, creating before reading, reading before
 * changing. Resources keep the order in which they are declared.
 */
export function orderOperations(paths: Paths): Paths {
  const resources = new Map<string, number>();
  const ranked = Object.entries(paths).map(([path, item]) => {
    const names = Object.values(item as Record<string, Json>).map(({ operationId }) => String(operationId));
    const [resource = ''] = names[0]!.split('.');
    if (!resources.has(resource)) resources.set(resource, resources.size);
    return { path, item, resource: resources.get(resource)!, rank: Math.min(...names.map(rankOf)) };
  });
  ranked.sort((one, other) => one.resource - other.resource || one.rank - other.rank);
  return Object.fromEntries(ranked.map(({ path, item }) => [path, item]));
}

function rankOf(operationId: string): number {
  const [, name = ''] = operationId.split('.');
  const first = FIRST.findIndex((verb) => name.startsWith(verb));
  const last = LAST.findIndex((verb) => name.startsWith(verb));
  return first >= 0 ? first : FIRST.length + (last + 1);
}
