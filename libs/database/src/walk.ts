import type { PageRequest } from '@counterfoil/pagination';
import type { Statement } from './remembered-lists';

/** The rows of a list as SQL. */
export interface WalkedRows {
  /** Selects the `id` of each, in no order. */
  readonly ids: string;
  readonly parameters: readonly unknown[];
  /** The order of the list, or the other way round. */
  readonly orderBy: (fromEnd: boolean) => string;
}

/** The ids of a page of a list of `total` rows. What is before the page is skipped, from the nearer end. */
export function walkTo(
  { ids, parameters, orderBy }: WalkedRows,
  total: number,
  { limit, offset }: PageRequest,
): Statement {
  const size = Math.max(0, Math.min(limit, total - offset));
  const behind = Math.max(0, total - offset - size);
  const fromEnd = behind < offset;
  const next = parameters.length + 1;
  return [
    `select id from (
       select id, row_number() over () as place
         from (${ids} order by ${orderBy(fromEnd)} limit $${next} offset $${next + 1}) walked) page
      order by place ${fromEnd ? 'desc' : 'asc'}`,
    [...parameters, size, fromEnd ? behind : offset],
  ];
}
