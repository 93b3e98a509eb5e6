import type { ListDefinition } from '@counterfoil/lists';
import { sourceFiles } from './projects';

export type AnyList = ListDefinition<Record<string, unknown>, string>;

/** The lists that the files `*.list.ts` declare. */
export function declaredLists(): AnyList[] {
  return sourceFiles()
    .filter((file) => file.endsWith('.list.ts'))
    .flatMap((file) => listsIn(jest.requireActual<object>(file)));
}

function isList(value: object): value is AnyList {
  return ['name', 'from', 'scope', 'filters', 'sorts', 'rows'].every((property) => property in value);
}

/** The lists that a module exports, directly or in objects. */
function listsIn(exported: object): AnyList[] {
  return Object.values(exported).flatMap((value: unknown) => {
    if (typeof value !== 'object' || value === null) return [];
    return isList(value) ? [value] : listsIn(value);
  });
}
