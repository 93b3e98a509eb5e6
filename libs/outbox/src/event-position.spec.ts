import fc from 'fast-check';
import { commonPosition, EventPosition, GAPS_MAX } from './event-position';

const seen = (...sequences: number[]): EventPosition => {
  const position = new EventPosition(0);
  for (const sequence of sequences) position.see(sequence, 10);
  return position;
};

describe('a position in the event log', () => {
  it('has seen what it was shown, in whatever order, and nothing else', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 40 })), (shown) => {
        const position = EventPosition.of(seen(...shown).text);
        for (let sequence = 1; sequence <= 41; sequence++) {
          expect(position.hasSeen(sequence)).toBe(shown.includes(sequence));
        }
      }),
    );
  });

  it('closes a gap only when every transaction that may fill it has ended', () => {
    const position = seen(1, 4);
    position.closeGaps({ oldestRunning: 9, readUpTo: Infinity });
    expect(position.hasSeen(2)).toBe(false);
    position.closeGaps({ oldestRunning: 10, readUpTo: 2 });
    expect(position.hasSeen(2)).toBe(false);
    position.closeGaps({ oldestRunning: 10, readUpTo: 3 });
    expect([2, 3].map((sequence) => position.hasSeen(sequence))).toEqual([true, true]);
  });

  it('has no room for more gaps than a cursor may have', () => {
    const odd = Array.from({ length: GAPS_MAX }, (_, index) => 2 * index + 2);
    const position = seen(...odd);
    const highest = odd.at(-1)!;
    expect([highest + 1, highest + 2, 1].map((sequence) => position.hasRoomFor(sequence))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('of several readers covers what any of them has not seen, once', () => {
    fc.assert(
      fc.property(fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 30 })), { minLength: 1 }), (readers) => {
        const positions = readers.map((shown) => seen(...shown));
        const common = commonPosition(positions);
        for (let sequence = 1; sequence <= 31; sequence++) {
          const isMissing = positions.some((position) => !position.hasSeen(sequence));
          if (isMissing) expect(common.hasSeen(sequence)).toBe(false);
        }
        const gaps = common.gaps.map(({ first, last }) => [first, last]).flat();
        expect(gaps).toEqual([...gaps].sort((one, other) => one - other));
      }),
    );
  });
});
