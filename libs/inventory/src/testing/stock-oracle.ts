import type { MovementType } from '../domain/movement';
import type { StockLevel } from '../domain/stock-record';

/** What somebody was told that a movement did to one record. */
interface ToldStep {
  readonly inventoryId: number;
  readonly movementId: number;
  readonly before: StockLevel;
  readonly after: StockLevel;
}

/** A movement that was asked for, and what the caller was told. */
export interface ToldMovement {
  readonly movementType: MovementType;
  readonly quantity: number;
  readonly source: ToldStep;
  readonly target: ToldStep | null;
}

/** A movement that was refused for want of stock, with the stock that the caller was told of. */
export interface ToldRefusal {
  readonly inventoryId: number;
  readonly movementType: MovementType;
  readonly quantity: number;
  readonly there: number;
}

/** In ten-thousandths, so that nothing is ever rounded. */
interface Level {
  readonly quantity: bigint;
  readonly reserved: bigint;
}

const EMPTY: Level = { quantity: 0n, reserved: 0n };
const fine = (value: number): bigint => BigInt(Math.round(value * 10_000));
const levelOf = ({ quantity, reservedQuantity }: StockLevel): Level => ({
  quantity: fine(quantity),
  reserved: fine(reservedQuantity),
});
const isSame = (one: Level, other: Level) =>
  one.quantity === other.quantity && one.reserved === other.reserved;
const shown = ({ quantity, reserved }: Level) => `${quantity}/${reserved}`;

/** Decisions §8, read once more: what a movement makes of a record, one after the other. */
function apply(
  { quantity, reserved }: Level,
  step: { type: MovementType; by: bigint; incoming: boolean },
): Level {
  const { type, by, incoming } = step;
  if (incoming) return { quantity: quantity + by, reserved };
  switch (type) {
    case 'ADD':
    case 'ADJUST':
      return { quantity: quantity + by, reserved };
    case 'SUBTRACT':
    case 'TRANSFER':
      return { quantity: quantity - by, reserved };
    case 'RESERVE':
      return { quantity, reserved: reserved + by };
    case 'RELEASE':
      return { quantity, reserved: reserved - by };
    case 'RELEASE_AND_SUBTRACT':
      return { quantity: quantity - by, reserved: reserved - by };
    case 'ADD_AND_RESERVE':
      return { quantity: quantity + by, reserved: reserved + by };
  }
}

/** What many movements at once must come to: the same as one after the other, in the order of their ids. */
export class StockOracle {
  private readonly movements: ToldMovement[] = [];
  private readonly refusals: ToldRefusal[] = [];

  get accepted(): number {
    return this.movements.length;
  }

  get refused(): number {
    return this.refusals.length;
  }

  told(movement: ToldMovement): void {
    this.movements.push(movement);
  }

  toldRefusal(refusal: ToldRefusal): void {
    this.refusals.push(refusal);
  }

  /**
   * Everything in what was told that cannot have happened one after the other, or that is not how the records are in
   * the end.
   *
   * @param final the records, by id
   */
  problems(final: ReadonlyMap<number, StockLevel>): string[] {
    const problems: string[] = [];
    const seen = this.replay(problems);
    for (const [inventoryId, level] of final) {
      const expected = seen.get(inventoryId)?.last ?? EMPTY;
      if (!isSame(expected, levelOf(level))) {
        problems.push(`record ${inventoryId} holds ${shown(levelOf(level))} instead of ${shown(expected)}`);
      }
    }
    for (const id of seen.keys()) if (!final.has(id)) problems.push(`record ${id} is not there`);
    return [...problems, ...this.wrongRefusals(seen)];
  }

  private replay(problems: string[]): Map<number, History> {
    const steps = this.movements.flatMap(({ movementType: type, quantity, source, target }) => [
      { type, by: fine(quantity), told: source, incoming: false },
      ...(target ? [{ type, by: fine(quantity), told: target, incoming: true }] : []),
    ]);
    steps.sort((one, other) => one.told.movementId - other.told.movementId);
    const histories = new Map<number, History>();
    for (const { type, by, told, incoming } of steps) {
      const history = histories.get(told.inventoryId) ?? new History();
      histories.set(told.inventoryId, history);
      const before = history.last;
      const after = apply(before, { type, by, incoming });
      const name = `movement ${told.movementId} (${type})`;
      if (!isSame(before, levelOf(told.before))) problems.push(`${name} does not begin at ${shown(before)}`);
      if (!isSame(after, levelOf(told.after))) problems.push(`${name} does not end at ${shown(after)}`);
      if (after.reserved < 0n || after.quantity < after.reserved)
        problems.push(`${name} takes what is not there`);
      history.add(after);
    }
    return histories;
  }

  /** Who was refused was told of a stock that was there at some time, and that was too little. */
  private wrongRefusals(histories: ReadonlyMap<number, History>): string[] {
    return this.refusals
      .filter(({ inventoryId, movementType, quantity, there }) => {
        const ofReserved = movementType === 'RELEASE' || movementType === 'RELEASE_AND_SUBTRACT';
        const history = histories.get(inventoryId) ?? new History();
        return there >= quantity || !history.had(ofReserved ? 'reserved' : 'available', fine(there));
      })
      .map(({ inventoryId, movementType, quantity, there }) => {
        return `${movementType} of ${quantity} of record ${inventoryId} was refused with ${there} there`;
      });
  }
}

class History {
  last = EMPTY;
  private readonly reserved = new Set([0n]);
  private readonly available = new Set([0n]);

  add(level: Level): void {
    this.last = level;
    this.reserved.add(level.reserved);
    this.available.add(level.quantity - level.reserved);
  }

  had(pool: 'reserved' | 'available', amount: bigint): boolean {
    return this[pool].has(amount);
  }
}
