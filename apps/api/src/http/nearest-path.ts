/** A longer path is hardly a typing error, and comparing it would be expensive. */
const PATH_LENGTH_MAX = 100;
/** The maximum of missing, added or different letters in the whole path. */
const SLIPS_MAX = 4;
/** Prefers paths with fewer parameters among equally near ones, because a parameter matches any segment. */
const PARAMETER_COST = 0.5;

/**
 * Finds the known path that a misspelt one was probably meant to be. It compares segment by segment, and gives up on a
 * path with too many differences, so that an unknown path costs little more than another refusal.
 *
 * @param known paths with parameters as the router writes them: `/vendors/id/:visibleId`
 */
export function nearestPath(path: string, known: Iterable<string>): string | null {
  if (path.length > PATH_LENGTH_MAX) return null;
  const sent = segmentsOf(path);
  let nearest: string | null = null;
  let costMax = SLIPS_MAX + 1;
  for (const candidate of known) {
    const cost = costBetween(sent, segmentsOfKnown(candidate), costMax);
    if (cost < costMax) {
      nearest = candidate;
      costMax = cost;
    }
  }
  return nearest;
}

const segmentsOf = (path: string): string[] => path.replace(/^\//, '').split('/').filter(Boolean);

/** Caches the segments of known paths, because each unknown path is compared with all of them. */
const split = new Map<string, readonly string[]>();

function segmentsOfKnown(path: string): readonly string[] {
  const known = split.get(path) ?? segmentsOf(path);
  split.set(path, known);
  return known;
}

/** @returns Infinity if the cost is `costMax` or more */
function costBetween(sent: readonly string[], known: readonly string[], costMax: number): number {
  if (sent.length !== known.length) return Infinity;
  let cost = 0;
  for (const [index, segment] of known.entries()) {
    cost += segment.startsWith(':') ? PARAMETER_COST : slipsBetween(sent[index]!, segment);
    if (cost >= costMax) return Infinity;
  }
  return cost;
}

/**
 * The edit distance of two segments, where all differences in case together count as one. Infinity for segments that
 * have too little in common.
 */
function slipsBetween(sent: string, known: string): number {
  const [one, other] = [sent.toLowerCase(), known.toLowerCase()];
  if (one === other) return sent === known ? 0 : 1;
  if (Math.abs(one.length - other.length) > SLIPS_MAX) return Infinity;
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= one.length; line++) {
    const next = [line];
    for (let column = 1; column <= other.length; column++) {
      const differs = one[line - 1] === other[column - 1] ? 0 : 1;
      next.push(Math.min(next[column - 1]! + 1, row[column]! + 1, row[column - 1]! + differs));
    }
    row = next;
  }
  const slips = row[other.length]!;
  return slips * 2 > known.length + 1 ? Infinity : slips;
}
