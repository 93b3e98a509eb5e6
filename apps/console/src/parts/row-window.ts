/** Browsers cut an element off at 17 (Firefox) to 33 million pixels; a million rows need 40 million. */
export const TRACK_MAX_PX = 10_000_000;
/** The share of the track at each end where a pixel of it is a pixel of the rows. */
const EXACT_SHARE = 0.25;
/** A scroll by more than so many views is a jump, by the scroll bar or a key. */
const JUMP_VIEWS = 3;

/** Rows of one height behind a view. All lengths are in pixels. */
export interface Track {
  readonly rows: number;
  readonly rowPx: number;
  readonly viewPx: number;
}

/** A place on the track: the rows stand `base` pixels higher than without the limit of its length. */
export interface Place {
  readonly base: number;
  /** As `scrollTop`. */
  readonly top: number;
}

const clamp = (value: number, most: number) => Math.min(Math.max(value, 0), Math.max(most, 0));
const wholePx = ({ rows, rowPx }: Track) => rows * rowPx;

export const trackPx = (track: Track): number => Math.min(wholePx(track), TRACK_MAX_PX);

/** By how much the rows are longer than their track. */
const sparePx = (track: Track) => wholePx(track) - trackPx(track);

/** @param at where the scroll bar stands on the track */
function baseOf(track: Track, at: number, length: number): number {
  const spare = sparePx(track);
  const exact = EXACT_SHARE * TRACK_MAX_PX;
  return Math.round(spare * clamp((at - exact) / (length - 2 * exact), 1));
}

/** The place where a row is the first in the view, or as near as the end of the list allows. */
export function placeOf(track: Track, row: number): Place {
  const at = clamp(row * track.rowPx, wholePx(track) - track.viewPx);
  const base = sparePx(track) === 0 ? 0 : baseOf(track, at, wholePx(track));
  return { base, top: at - base };
}

/**
 * The place after a scroll. Near scrolls keep the base, so that a pixel is a pixel; jumps choose the base by the scroll
 * bar. If an end of the track comes near which is not an end of the list, the same rows get a place away from it.
 */
export function placeAfter(track: Track, { base, top: before }: Place, top: number): Place {
  const spare = sparePx(track);
  if (spare === 0) return { base: 0, top };
  if (Math.abs(top - before) > JUMP_VIEWS * track.viewPx)
    return { base: baseOf(track, top, trackPx(track)), top };
  const isStuckAbove = top < track.viewPx && base > 0;
  const isStuckBelow = top > trackPx(track) - 2 * track.viewPx && base < spare;
  return isStuckAbove || isStuckBelow ? placeOf(track, (top + base) / track.rowPx) : { base, top };
}

/** The rows in the view, as positions in the list: from the first to before the last. */
export function rowsIn(track: Track, { base, top }: Place): readonly [from: number, to: number] {
  const from = clamp(Math.floor((top + base) / track.rowPx), track.rows - 1);
  return [from, Math.min(track.rows, Math.ceil((top + base + track.viewPx) / track.rowPx))];
}

/**
 * Keys of drawn rows. A row keeps its key, and with it the focus, if others appear above it. While two pages are not of
 * the same moment, a row can be in both: then the second one is named by its place, as are those that are not read.
 *
 * @param first the place of the first one
 */
export function keysOf(ids: readonly (string | number | undefined)[], first: number): readonly string[] {
  return ids.map((id, at) => (id === undefined || ids.indexOf(id) < at ? `at ${first + at}` : `row ${id}`));
}
