import type { List } from '@counterfoil/sdk';

export const ROWS_DEFAULT = 50;

/** The rows of a list up to a limit, read page by page. Rows beyond it are not read. */
export async function* firstRows<Row>(list: List<Row, unknown>, limit: number): AsyncGenerator<Row> {
  let left = limit;
  for await (const row of list) {
    yield row;
    left -= 1;
    if (left === 0) return;
  }
}

/** The options that were given. */
export function given<Options extends object>(options: Options): Partial<Options> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Options>;
}
