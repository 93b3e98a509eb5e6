/** The maximum number of gaps in a position, which bounds the length of a cursor. */
export const GAPS_MAX = 100;

/** Sequences that a read did not find, although it found a later one. */
export interface Gap {
  readonly first: number;
  readonly last: number;
  /** Every transaction that may still write an event into the gap has a lower id. */
  readonly endedBelow: number;
}

/** The part of the log that a read has covered. */
export interface ReadExtent {
  /** Every transaction with a lower id had ended when the gaps were read. */
  readonly oldestRunning: number;
  /** No later event was looked for. Infinite if all were read. */
  readonly readUpTo: number;
}

/**
 * Which events a reader has seen: all up to the highest sequence, except those in the gaps. Transactions commit
 * in another order than that of their sequences, so a missing sequence may belong to a transaction that has not
 * ended, to one that was rolled back, or to a deleted event.
 */
export class EventPosition {
  constructor(
    private highest: number,
    private open: readonly Gap[] = [],
  ) {}

  /** Reads what `text` returned. */
  static of(text: string): EventPosition {
    const [highest, ...gaps] = text.split(',');
    return new EventPosition(Number(highest), gaps.map(gapOf));
  }

  get text(): string {
    const gaps = this.open.map(({ first, last, endedBelow }) => `${first}-${last}-${endedBelow}`);
    return [this.highest, ...gaps].join(',');
  }

  get highestSeen(): number {
    return this.highest;
  }

  get gaps(): readonly Gap[] {
    return this.open;
  }

  hasSeen(sequence: number): boolean {
    return sequence <= this.highest && !this.open.some((gap) => isIn(gap, sequence));
  }

  /** Whether the position can express that this event was seen. Otherwise some gaps must be closed first. */
  hasRoomFor(sequence: number): boolean {
    return sequence <= this.highest + 1 || this.open.length < GAPS_MAX;
  }

  /**
   * Notes that an event was seen.
   *
   * @param endedBelow for the gap before the event, if there is one
   */
  see(sequence: number, endedBelow: number): void {
    if (sequence <= this.highest) {
      this.open = this.open.flatMap((gap) => (isIn(gap, sequence) ? without(gap, sequence) : gap));
      return;
    }
    if (sequence > this.highest + 1) {
      this.open = [...this.open, { first: this.highest + 1, last: sequence - 1, endedBelow }];
    }
    this.highest = sequence;
  }

  /**
   * Closes the gaps that stay empty. Call this after all events that a read found in the gaps were seen. The read may have
   * begun below this position, and ended below some of its gaps.
   */
  closeGaps({ oldestRunning, readUpTo }: ReadExtent): void {
    this.open = this.open.filter(({ endedBelow, last }) => endedBelow > oldestRunning || last > readUpTo);
  }

  /** Gives up the oldest gaps beyond the maximum. */
  keepNewestGaps(count: number): void {
    this.open = this.open.slice(-count);
  }
}

/** The lowest position of all, and every gap of any of them. */
export function commonPosition(positions: readonly EventPosition[]): EventPosition {
  const lowest = Math.min(...positions.map(({ highestSeen }) => highestSeen));
  const gaps = positions.flatMap((position) => position.gaps).filter(({ first }) => first <= lowest);
  return new EventPosition(lowest, merged(gaps));
}

/** Joins gaps that overlap, so that no event is read twice. */
function merged(gaps: readonly Gap[]): Gap[] {
  const joined: Gap[] = [];
  for (const gap of [...gaps].sort((one, other) => one.first - other.first)) {
    const before = joined.at(-1);
    if (before === undefined || gap.first > before.last) joined.push(gap);
    else joined.push({ ...joined.pop()!, last: Math.max(before.last, gap.last) });
  }
  return joined;
}

const isIn = ({ first, last }: Gap, sequence: number): boolean => first <= sequence && sequence <= last;

function without(gap: Gap, sequence: number): Gap[] {
  const parts = [
    { ...gap, last: sequence - 1 },
    { ...gap, first: sequence + 1 },
  ];
  return parts.filter(({ first, last }) => first <= last);
}

function gapOf(text: string): Gap {
  const [first = 0, last = 0, endedBelow = 0] = text.split('-').map(Number);
  return { first, last, endedBelow };
}
