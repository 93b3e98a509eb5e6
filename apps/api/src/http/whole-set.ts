import { Readable } from 'node:stream';
import { heavyTurn, Places } from '@counterfoil/kernel';
import { wholeSetOf } from '@counterfoil/pagination';
import type { FastifyReply } from 'fastify';
import { isAbandoned } from './answer-in-time';
import { answerSize } from './answer-size';
import type { AuthenticatedRequest } from './authenticated-request';
import { letGoOfSlowReader } from './pace';

/** What such a list says of itself, so that nobody pages through it for ever. */
export const WHOLE_SET =
  'The whole set is answered at once. limit, offset, page and pageSize are ignored: page 2 is page 1 again. Ask once, and do not page.';

/** Lists that are being read and written, each of which holds two batches. */
const places = new Places({ inAll: 48, ofCompany: 12, leavesRoom: true, what: 'whole lists' });

/** How a list is written, around and between its rows. */
export interface ListShape<Row> {
  readonly beginning: string;
  /** A row as JSON. */
  readonly textOf: (row: Row) => string;
  /** @param total how many rows there were */
  readonly end: (total: number) => string;
}

/**
 * Answers a list that is never paged (spec: Pagination contract, rule 6).
 *
 * @param batches of rows, in order
 */
export function wholeSetAnswer<Row, Body>(
  batches: AsyncIterable<readonly Row[]>,
  bodyOf: (row: Row) => Body,
  reply: FastifyReply,
): Promise<string | Readable> {
  const textOf = (row: Row) => JSON.stringify(bodyOf(row));
  return listAnswer(batches, { ...WHOLE_SET_SHAPE, textOf }, reply);
}

export const WHOLE_SET_SHAPE = {
  beginning: '{"data":[',
  end: (total: number) => `],"pagination":${JSON.stringify(wholeSetOf(total))}}`,
} as const;

/**
 * Answers a list without holding it: a short one as it is, a long one batch by batch, as fast as it is read. What fails
 * after the beginning cuts the connection, so that nobody takes a part for the whole.
 *
 * @throws AppError `UNAVAILABLE` while too many lists of the company are under way
 */
export async function listAnswer<Row>(
  batches: AsyncIterable<readonly Row[]>,
  shape: ListShape<Row>,
  reply: FastifyReply,
): Promise<string | Readable> {
  void reply.type('application/json; charset=utf-8');
  // Where nothing is sent, nothing is read. The framework keeps a stream from being measured.
  if (reply.request.method === 'HEAD') return Readable.from([]);
  const companyId = companyOf(reply);
  const leave = places.take(companyId);
  try {
    const pieces = piecesOf(batches, shape, () => heavyTurn(companyId, () => isAbandoned(reply.request)));
    const begun = [await pieces.next(), await pieces.next()].flatMap(({ value }) => value ?? []);
    const third = await pieces.next();
    if (third.done) {
      leave();
      return begun.join('');
    }
    const content = Readable.from(joined([...begun, third.value], pieces));
    content.once('close', leave);
    letGoOfSlowReader(content, reply);
    return content;
  } catch (error) {
    leave();
    throw error;
  }
}

/** A piece for each batch, and one for the end. A batch that is large waits for its turn to be written. */
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

/** Lets go of each piece that was read before as soon as it is taken. */
async function* joined(begun: string[], rest: AsyncGenerator<string, undefined>): AsyncGenerator<string> {
  try {
    for (let piece = begun.shift(); piece !== undefined; piece = begun.shift()) yield piece;
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
