import type { PageRequest } from '@counterfoil/pagination';

/** A row's place in a list: the number of rows before it, and the keys by which the list is sorted. */
export interface ListPosition {
  readonly offset: number;
  readonly keys: readonly string[];
}

/** The maximum of remembered positions of a list. */
const POSITIONS_MAX = 50;
/** So few rows are skipped in less time than the rest of a page takes. */
const FEW_ROWS = 500;

/** The maximum of remembered positions of a list of `total` rows. */
export function positionsMax(total: number): number {
  return Math.min(POSITIONS_MAX, Math.floor(total / FEW_ROWS));
}

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
 * Remembers the first row of a page if neither a remembered row nor an end of the list is near it. The next page near
 * that row skips only the rows between. All positions are those of one version of the list.
 */
export class ListPositions {
  /** In ascending order. */
  private readonly known: ListPosition[] = [];
  private areTrusted = true;
  /** The smallest distance of two positions, and of a position from an end. It also limits their number. */
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

  /** Remembers a row, unless another position is near. A row with a null key has no position. */
  remember(offset: number, keys: readonly (string | null)[]): void {
    if (!isComplete(keys)) return this.distrust();
    const index = this.indexOf(offset);
    const before = this.known[index - 1]?.offset ?? 0;
    const after = this.known[index]?.offset ?? this.total;
    const isFar = offset - before >= this.distance && after - offset >= this.distance;
    if (this.areTrusted && isFar) this.known.splice(index, 0, { offset, keys });
  }

  /** Forgets all positions for good, because a comparison with their keys leaves out rows whose first key is null. */
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
