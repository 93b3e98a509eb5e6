import { Readable } from 'node:stream';
import { ConcurrencyLimit, heavyTurn } from '@counterfoil/kernel';
import { unpagedPagination } from '@counterfoil/pagination';
import type { FastifyReply } from 'fastify';
import { isAbandoned } from './answer-deadlines';
import { answerSize } from './answer-gate';
import { letGoOfSlowReader } from './pace';
import type { AuthenticatedRequest } from './route.decorators';

/** The description of a list without pages. */
export const UNPAGED =
  'The whole set is answered at once. limit, offset, page and pageSize are ignored: page 2 is page 1 again. Ask once, and do not page.';

/** Bounds the lists in progress, each of which holds two batches in memory. */
const slots = new ConcurrencyLimit({
  total: 48,
  perCompany: 12,
  dynamicThreshold: true,
  what: 'whole lists',
});

/** How a list is written, around and between its rows. */
export interface ListShape<Row> {
  readonly beginning: string;
  /** A row as JSON. */
  readonly textOf: (row: Row) => string;
  /** @param total how many rows there were */
  readonly end: (total: number) => string;
}

/**
 * Answers a list that is never paged (contract §2.6).
 *
 * @param batches of rows, in order
 */
export function answerUnpaged<Row, Body>(
  batches: AsyncIterable<readonly Row[]>,
  bodyOf: (row: Row) => Body,
  reply: FastifyReply,
): Promise<string | Readable> {
  const textOf = (row: Row) => JSON.stringify(bodyOf(row));
  return answerList(batches, { ...UNPAGED_SHAPE, textOf }, reply);
}

export const UNPAGED_SHAPE = {
  beginning: '{"data":[',
  end: (total: number) => `],"pagination":${JSON.stringify(unpagedPagination(total))}}`,
} as const;

/**
 * Sends a short list in one piece, and streams a long one in batches, as fast as the caller reads. An error during the
 * stream closes the connection, so that the caller cannot mistake a part for the whole list.
 *
 * @throws AppError `UNAVAILABLE` if too many lists are in progress
 */
export async function answerList<Row>(
  batches: AsyncIterable<readonly Row[]>,
  shape: ListShape<Row>,
  reply: FastifyReply,
): Promise<string | Readable> {
  void reply.type('application/json; charset=utf-8');
  // HEAD sends no rows, so it reads none. The answer is a stream, because the framework would measure a text.
  if (reply.request.method === 'HEAD') return Readable.from([]);
  const companyId = companyOf(reply);
  const leave = slots.take(companyId);
  try {
    const pieces = piecesOf(batches, shape, () => heavyTurn(companyId, () => isAbandoned(reply.request)));
    const head = [await pieces.next(), await pieces.next()].flatMap(({ value }) => value ?? []);
    const third = await pieces.next();
    if (third.done) {
      leave();
      return head.join('');
    }
    const content = Readable.from(joined([...head, third.value], pieces));
    content.once('close', leave);
    letGoOfSlowReader(content, reply);
    return content;
  } catch (error) {
    leave();
    throw error;
  }
}

/** Yields one piece for each batch and one for the end. A large batch waits for a turn of the event loop. */
async function* piecesOf<Row>(
  batches: AsyncIterable<readonly Row[]>,
  { beginning, textOf, end }: ListShape<Row>,
  turn: () => Promise<void>,
): AsyncGenerator<string, undefined> {
  let total = 0;
  for await (const rows of batches) {
    if (answerSize(rows) !== 'small') await turn();
    yield (total === 0 ? beginning : ',') + rows.map(textOf).join(',');
    total += rows.length;
  }
  yield (total === 0 ? beginning : '') + end(total);
  return undefined;
}

/** Releases each piece as soon as it is taken. */
async function* joined(head: string[], rest: AsyncGenerator<string, undefined>): AsyncGenerator<string> {
  try {
    for (let piece = head.shift(); piece !== undefined; piece = head.shift()) yield piece;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

function companyOf({ request }: FastifyReply): number {
  const { caller } = request as AuthenticatedRequest;
  if (!caller) throw new Error('a list of a company needs a caller');
  return caller.companyId;
}
