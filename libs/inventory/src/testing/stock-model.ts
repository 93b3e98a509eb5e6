import type { MovementType } from '../domain/movement';
import type { StockLevel } from '../domain/stock-record';

/** A step as the caller's response described it. */
interface ReportedStep {
  readonly inventoryId: number;
  readonly movementId: number;
  readonly before: StockLevel;
  readonly after: StockLevel;
}

/** A movement with its response. */
export interface ReportedMovement {
  readonly movementType: MovementType;
  readonly quantity: number;
  readonly source: ReportedStep;
  readonly target: ReportedStep | null;
}

/** A movement refused for insufficient stock. */
export interface ReportedRefusal {
  readonly inventoryId: number;
  readonly movementType: MovementType;
  readonly quantity: number;
  /** The available or reserved quantity that the error named. */
  readonly inPool: number;
}

/** In ten-thousandths, so that no rounding occurs. */
interface Level {
  readonly quantity: bigint;
  readonly reserved: bigint;
}

const EMPTY: Level = { quantity: 0n, reserved: 0n };
const toUnits = (value: number): bigint => BigInt(Math.round(value * 10_000));
const toLevel = ({ quantity, reservedQuantity }: StockLevel): Level => ({
  quantity: toUnits(quantity),
  reserved: toUnits(reservedQuantity),
});
const isSame = (one: Level, other: Level) =>
  one.quantity === other.quantity && one.reserved === other.reserved;
const formatLevel = ({ quantity, reserved }: Level) => `${quantity}/${reserved}`;

/** A second implementation of contract §7.3: the effect of one movement on a record. */
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

/** Checks that concurrent movements had the same effect as sequential ones in the order of their ids. */
export class StockModel {
  private readonly movements: ReportedMovement[] = [];
  private readonly refusals: ReportedRefusal[] = [];

  get accepted(): number {
    return this.movements.length;
  }

  get refused(): number {
    return this.refusals.length;
  }

  addMovement(movement: ReportedMovement): void {
    this.movements.push(movement);
  }

  addRefusal(refusal: ReportedRefusal): void {
    this.refusals.push(refusal);
  }

  /**
   * Returns every response that no sequential order explains, and every record whose final stock differs.
   *
   * @param final the final stock by record id
   */
  findProblems(final: ReadonlyMap<number, StockLevel>): string[] {
    const problems: string[] = [];
    const seen = this.replay(problems);
    for (const [inventoryId, level] of final) {
      const expected = seen.get(inventoryId)?.last ?? EMPTY;
      if (!isSame(expected, toLevel(level))) {
        problems.push(
          `record ${inventoryId} holds ${formatLevel(toLevel(level))} instead of ${formatLevel(expected)}`,
        );
      }
    }
    for (const id of seen.keys()) if (!final.has(id)) problems.push(`record ${id} does not exist`);
    return [...problems, ...this.findWrongRefusals(seen)];
  }

  private replay(problems: string[]): Map<number, History> {
    const steps = this.movements.flatMap(({ movementType: type, quantity, source, target }) => [
      { type, by: toUnits(quantity), reported: source, incoming: false },
      ...(target ? [{ type, by: toUnits(quantity), reported: target, incoming: true }] : []),
    ]);
    steps.sort((one, other) => one.reported.movementId - other.reported.movementId);
    const histories = new Map<number, History>();
    for (const { type, by, reported, incoming } of steps) {
      const history = histories.get(reported.inventoryId) ?? new History();
      histories.set(reported.inventoryId, history);
      const before = history.last;
      const after = apply(before, { type, by, incoming });
      const name = `movement ${reported.movementId} (${type})`;
      if (!isSame(before, toLevel(reported.before)))
        problems.push(`${name} does not begin at ${formatLevel(before)}`);
      if (!isSame(after, toLevel(reported.after)))
        problems.push(`${name} does not end at ${formatLevel(after)}`);
      if (after.reserved < 0n || after.quantity < after.reserved)
        problems.push(`${name} takes more than the record holds`);
      history.add(after);
    }
    return histories;
  }

  /** Finds refusals whose quantity the record never had, or that had enough. */
  private findWrongRefusals(histories: ReadonlyMap<number, History>): string[] {
    return this.refusals
      .filter(({ inventoryId, movementType, quantity, inPool }) => {
        const ofReserved = movementType === 'RELEASE' || movementType === 'RELEASE_AND_SUBTRACT';
        const history = histories.get(inventoryId) ?? new History();
        return inPool >= quantity || !history.had(ofReserved ? 'reserved' : 'available', toUnits(inPool));
      })
      .map(({ inventoryId, movementType, quantity, inPool }) => {
        return `${movementType} of ${quantity} of record ${inventoryId} was refused, although it had ${inPool}`;
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
