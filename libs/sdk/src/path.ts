import type { Query, QueryValue } from './request.ts';

/** Replaces the placeholders of a path with ids, in their order. */
export function filledPath(template: string, ids: readonly unknown[]): string {
  let place = 0;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[place];
    place += 1;
    // URLs resolve dots, which would lead to another route.
    const isId = typeof id === 'number' || (typeof id === 'string' && !/^\.{0,2}$/.test(id));
    if (isId) return encodeURIComponent(id);
    throw new TypeError(`${name} must be a number or a text, neither empty nor dots: ${template}`);
  });
}

/** Writes a query with its question mark. Values that are undefined or null are left out. */
export function queryText(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries<QueryValue>(query))
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
