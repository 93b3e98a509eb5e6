import type { FieldProblem } from '@counterfoil/kernel';
import type { Type } from '@nestjs/common';
import { checksOf } from './field';
import { FieldRegistry } from './field-registry';

type Fields = Record<string, unknown>;

const LISTS = new FieldRegistry<() => Type>();

/**
 * Marks a field as a list of objects of a class. Its entries are checked by `takeEntries`: class-transformer and
 * class-validator take twenty times as long for a list of a thousand, in one piece.
 */
export const Entries = (of: () => Type): PropertyDecorator => LISTS.give(of);

/** The lists of objects among the fields of a class. */
export const listsOf = (type: Type): ReadonlyMap<string, () => Type> => LISTS.of(type);

export interface TakenEntries {
  /** The body with an empty value in the place of each entry. */
  readonly rest: Fields;
  /** The entries by the name of their list, without fields that their class does not have. */
  readonly lists: Readonly<Record<string, readonly unknown[]>>;
  readonly problems: readonly FieldProblem[];
}

/** Takes the entries of a body's lists out of it and checks them. The lists themselves are checked with the body. */
export function takeEntries(body: Fields, lists: ReadonlyMap<string, () => Type>): TakenEntries {
  const rest = { ...body };
  const taken: Record<string, readonly unknown[]> = {};
  const problems: FieldProblem[] = [];
  for (const [name, of] of lists) {
    const list = rest[name];
    // A list that is too long, or holds lists, is refused as a whole.
    if (!Array.isArray(list)) continue;
    rest[name] = list.map((entry) => (Array.isArray(entry) ? [] : null));
    const reader = new EntryReader(of());
    taken[name] = list.map((entry: unknown, index) => reader.read(entry, `${name}[${index}]`, problems));
  }
  return { rest, lists: taken, problems };
}

class EntryReader {
  private readonly checks: readonly (readonly [string, (value: unknown) => string | null])[];

  constructor(private readonly type: Type) {
    this.checks = [...checksOf(type)];
  }

  read(entry: unknown, place: string, problems: FieldProblem[]): unknown {
    if (typeof entry !== 'object' || entry === null) {
      problems.push({ field: place, problem: 'must be an object' });
      return entry;
    }
    const read = new this.type() as Fields;
    for (const [name, problemOf] of this.checks) {
      const value = (entry as Fields)[name];
      const problem = problemOf(value);
      if (problem !== null) problems.push({ field: `${place}.${name}`, problem });
      else if (value !== undefined) read[name] = value;
    }
    return read;
  }
}
