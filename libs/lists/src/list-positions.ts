import type { PageRequest } from '@counterfoil/pagination';

/** A row's place in a list: the number of rows before it, and the keys by which the list is sorted. */
export interface ListPosition {
  readonly offset: number;
  readonly keys: readonly string[];
}

/** The maximum of remembered positions of a list. */
export const POSITIONS_MAX = 100;
/** So few rows are skipped in less time than the rest of a page takes. */
const FEW_ROWS = 500;

/** The number of rows on a page of a list of `total` rows. */
export function sizeOf({ limit, offset }: PageRequest, total: number): number {
  return Math.max(0, Math.min(limit, total - offset));
}

/**
 * Returns how many rows must be skipped to a page, and in which direction: from the position, or without one from the
 * nearer end of the list.
 */
export function wayTo(
  page: PageRequest,
  total: number,
  position?: ListPosition,
): { readonly skip: number; readonly isBackward: boolean } {
  const end = page.offset + sizeOf(page, total);
  if (!position) {
    const behind = Math.max(0, total - end);
    return behind < page.offset
      ? { skip: behind, isBackward: true }
      : { skip: page.offset, isBackward: false };
  }
  const { offset } = position;
  return offset <= page.offset
    ? { skip: page.offset - offset, isBackward: false }
    : { skip: offset - (end - 1), isBackward: true };
}

/**
 * Remembers where pages of a list began that were far from all positions known before, so that the next page near them
 * need not skip the rows from an end of the list. They are those of one version of the list.
 */
export class ListPositions {
  /** In ascending order. */
  private readonly known: ListPosition[] = [];
  private areTrusted = true;
  /** The smallest distance of two positions, which also limits their number. */
  private readonly distance: number;

  constructor(private readonly total: number) {
    this.distance = Math.max(FEW_ROWS, Math.ceil(total / POSITIONS_MAX));
  }

  /** Returns the position from which fewer rows are skipped than from an end of the list, if there is one. */
  nearest(page: PageRequest): ListPosition | undefined {
    const index = this.indexOf(page.offset);
    const lastRow = page.offset + sizeOf(page, this.total) - 1;
    const after = this.known[this.indexOf(lastRow - 1)];
    const skipTo = (position?: ListPosition) => wayTo(page, this.total, position).skip;
    return [this.known[index - 1], after]
      .filter((position) => position !== undefined)
      .reduce<ListPosition | undefined>(
        (best, position) => (skipTo(position) < skipTo(best) ? position : best),
        undefined,
      );
  }

  /** Remembers a page's first row, if its page was far from all positions. A row with a null key has no position. */
  remember(page: PageRequest, keys: readonly (string | null)[]): void {
    if (!isComplete(keys)) return this.distrust();
    if (!this.areTrusted || wayTo(page, this.total, this.nearest(page)).skip < this.distance) return;
    this.known.splice(this.indexOf(page.offset), 0, { offset: page.offset, keys });
  }

  /** Forgets all positions for good: a comparison with the keys of one leaves out rows whose own keys are null. */
  distrust(): void {
    this.areTrusted = false;
    this.known.length = 0;
  }

  /** The number of positions up to and including the offset. */
  private indexOf(offset: number): number {
    const index = this.known.findIndex((position) => position.offset > offset);
    return index === -1 ? this.known.length : index;
  }
}

function isComplete(keys: readonly (string | null)[]): keys is readonly string[] {
  return !keys.includes(null);
}
