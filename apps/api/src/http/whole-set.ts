import { Readable } from 'node:stream';
import { type Page, wholeSet, wholeSetOf } from '@counterfoil/pagination';
import type { FastifyReply } from 'fastify';

/** What such a list says of itself, so that nobody pages through it for ever. */
export const WHOLE_SET =
  'The whole set is answered at once. limit, offset, page and pageSize are ignored: page 2 is page 1 again. Ask once, and do not page.';

/**
 * Answers a list that is never paged (spec: Pagination contract, rule 6) without holding it: a short one as it is, a long
 * one batch by batch, as fast as it is read. What fails after the beginning cuts the connection, so that nobody takes a
 * part for the whole.
 *
 * @param batches of rows, in order
 */
export async function wholeSetAnswer<Row, Body>(
  batches: AsyncIterable<readonly Row[]>,
  bodyOf: (row: Row) => Body,
  reply: FastifyReply,
): Promise<Page<Body> | Readable> {
  const remaining = batches[Symbol.asyncIterator]();
  const [first, second] = [await remaining.next(), await remaining.next()];
  if (first.done) return wholeSet([]);
  if (second.done) return wholeSet(first.value.map(bodyOf));
  void reply.type('application/json; charset=utf-8');
  return Readable.from(
    pieces([first.value, second.value], { [Symbol.asyncIterator]: () => remaining }, bodyOf),
  );
}

async function* pieces<Row, Body>(
  read: readonly (readonly Row[])[],
  remaining: AsyncIterable<readonly Row[]>,
  bodyOf: (row: Row) => Body,
): AsyncGenerator<string> {
  let total = 0;
  const piece = (rows: readonly Row[]): string => {
    const before = total === 0 ? '{"data":[' : ',';
    total += rows.length;
    return before + rows.map((row) => JSON.stringify(bodyOf(row))).join(',');
  };
  for (const rows of read) yield piece(rows);
  for await (const rows of remaining) yield piece(rows);
  yield `],"pagination":${JSON.stringify(wholeSetOf(total))}}`;
}
