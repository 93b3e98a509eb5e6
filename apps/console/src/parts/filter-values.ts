/** Reads filters out of the address, as texts; those that are not there are left out. */
export function filtersOf<Name extends string>(
  search: Readonly<Record<string, string | number | boolean | undefined>>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = search[name];
    if (value !== undefined && value !== '') found[name] = String(value);
  }
  return found;
}

/** A query as it is written into a path. */
export function queryText(query: object): string {
  const parts = Object.entries(query as Record<string, string | number | boolean | undefined>).filter(
    ([, value]) => value !== undefined,
  );
  return new URLSearchParams(
    parts.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}
