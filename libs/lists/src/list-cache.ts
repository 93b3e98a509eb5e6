import { BoundedCache } from '@counterfoil/kernel';
import { positionsMax } from './list-positions';

/** The maximum weight of all cached lists: 16 MB as ids. The least recently used list is evicted first. */
const IDS_MAX = 2_000_000;
/** Longer than any statement timeout: a read that takes longer has lost its connection. */
const LOOK_MAX_MS = 40_000;
/** The fixed weight of a list, in ids. */
const LIST_WEIGHT = 100;
/** The weight of one position, with keys of ordinary length. */
const POSITION_WEIGHT = 30;
/** This many characters of a name weigh as much as one id. */
const CHARACTERS_AN_ID = 4;

/** Definitions, numbered in the order of their first use. */
const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/**
 * The key of a requested list in a cache. It identifies the definition itself and not its name, so that two lists
 * that were given one name never serve each other's rows.
 */
export function cacheKeyOf(definition: object, ...request: readonly unknown[]): string {
  const number = numbers.get(definition) ?? (lastNumber += 1);
  numbers.set(definition, number);
  return JSON.stringify([number, ...request]);
}

/** A cache of list contents as of their last read. */
export class ListCache<Known extends object> extends BoundedCache<Known> {
  constructor() {
    super({ weightMax: IDS_MAX, weightOf, readMaxMs: LOOK_MAX_MS });
  }
}

interface Weighed {
  readonly ids?: readonly number[];
  readonly total?: number;
}

function weightOf(name: string, { ids = [], total = 0 }: Weighed): number {
  const ofPositions = total > ids.length ? POSITION_WEIGHT * positionsMax(total) : 0;
  return LIST_WEIGHT + name.length / CHARACTERS_AN_ID + ids.length + ofPositions;
}
