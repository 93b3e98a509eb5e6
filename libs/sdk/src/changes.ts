import type { Query } from './request.ts';
import type { AnswerOf, Batched, QueryOf, RowIn } from './route.ts';

type Documents = 'GET /documents';

/** A document of the feed, in its latest state. */
export type FeedDocument = RowIn<Extract<AnswerOf<Documents>, Batched>>;

/** A changed document, and the place in the feed up to which everything is known once it is stored. */
export interface Change {
  readonly document: FeedDocument;
  /** Store it after the document, and pass it to `changes` to go on from there. */
  readonly checkpoint: string;
}

type Window = 'updatedSince' | 'cursor' | 'offset' | 'page' | 'pageSize' | 'limit' | 'sortBy' | 'sortOrder';

/** Where a sweep begins, and its filters, which must be the same in every sweep with one checkpoint. */
export interface ChangesOptions extends Omit<QueryOf<Documents>, Window> {
  /** The last one that was stored. Without one, the sweep begins at `since`. */
  readonly checkpoint?: string | null | undefined;
  /** An ISO 8601 timestamp, a date, or a `Date`. Default: the beginning. */
  readonly since?: string | Date | undefined;
  /** Documents of one call, up to 200, the default. */
  readonly limit?: number | undefined;
}

const BATCH_SIZE = 200;
const BEGINNING = '1970-01-01';
const CURSOR = 'cursor:';
const SINCE = 'since:';

/** A batch as the service answers, reduced to what a sweep needs. */
interface Batch {
  readonly data: readonly FeedDocument[];
  readonly nextCursor?: string | null;
  readonly hasMore?: boolean;
}

/**
 * Sweeps the change feed to its present end (contract §10). A cursor stands behind a batch, so all documents of
 * a batch but the last carry the checkpoint before it: a consumer that resumes there gets them again, and skips none.
 */
export async function* sweep(
  read: (query: Query) => Promise<AnswerOf<Documents>>,
  { checkpoint, since = BEGINNING, limit = BATCH_SIZE, ...filters }: ChangesOptions,
): AsyncGenerator<Change, void, undefined> {
  let position = checkpoint ?? SINCE + (since instanceof Date ? since.toISOString() : since);
  for (;;) {
    const batch: Batch = await read({ ...filters, limit, ...positionQuery(position) });
    const next = batch.nextCursor ? CURSOR + batch.nextCursor : position;
    const last = batch.data.length - 1;
    for (const [index, document] of batch.data.entries())
      yield { document, checkpoint: index === last ? next : position };
    if (!batch.hasMore || next === position) return;
    position = next;
  }
}

function positionQuery(checkpoint: string): Query {
  if (checkpoint.startsWith(CURSOR)) return { cursor: checkpoint.slice(CURSOR.length) };
  if (checkpoint.startsWith(SINCE)) return { updatedSince: checkpoint.slice(SINCE.length) };
  throw new TypeError('checkpoint must be one that documents.changes has yielded, or null to begin anew');
}
