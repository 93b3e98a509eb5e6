/** A pattern for `like` that finds a text anywhere, with `%`, `_` and `\` as plain characters (decisions §1). */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
