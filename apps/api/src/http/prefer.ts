/** Entries of a list in a header. A comma within quotes does not end one. */
const ENTRIES = /(?:[^",]|"[^"]*"?)+/g;

/** Whether a `Prefer` header asks for `handling=strict` (RFC 7240, 2 and 4.4). The first `handling` counts. */
export function prefersStrict(header: string | readonly string[] | undefined): boolean {
  if (header === undefined) return false;
  for (const entry of String(header).match(ENTRIES) ?? []) {
    const [preference = ''] = entry.split(';', 1);
    const [name = '', value = ''] = preference.split('=', 2).map((part) => part.trim().toLowerCase());
    if (name === 'handling') return value === 'strict' || value === '"strict"';
  }
  return false;
}
