import { type FieldProblem, validationFailed } from '@counterfoil/kernel';
import { type ArgumentMetadata, type Type, ValidationPipe } from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { checksOf } from './field';
import { FieldRegistry } from './field-registry';

/** Problems named in one answer. */
const DETAILS_MAX = 100;

/** Checks the shape of bodies and queries against their classes. Fields that the class does not have are dropped. */
export function createValidationPipe(): ValidationPipe {
  return new BodyPipe({
    transform: true,
    whitelist: true,
    forbidUnknownValues: true,
    validationError: { target: false, value: false },
    exceptionFactory: (errors) => new ShapeProblems(errors.flatMap((error) => problemsOf(error, ''))),
  });
}

class ShapeProblems extends Error {
  constructor(readonly problems: readonly FieldProblem[]) {
    super('the shape is not valid');
  }
}

/** Checks the entries of lists itself, in place of class-validator (see `Entries`). */
class BodyPipe extends ValidationPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { metatype } = metadata;
    if (!metatype || !isObject(value) || !this.toValidate(metadata)) return this.checked(value, metadata, []);
    const sent = knownFieldsOf(value, metatype);
    const found = listsOf(metatype);
    if (found.size === 0) return this.checked(sent, metadata, []);
    const { rest, lists, problems } = takeEntries(sent, found);
    const body = (await this.checked(rest, metadata, problems)) as object;
    return Object.assign(body, lists);
  }

  private async checked(
    value: unknown,
    metadata: ArgumentMetadata,
    ofEntries: readonly FieldProblem[],
  ): Promise<unknown> {
    const problems: FieldProblem[] = [];
    let body: unknown;
    try {
      body = await super.transform(value, metadata);
    } catch (error) {
      if (!(error instanceof ShapeProblems)) throw error;
      problems.push(...error.problems);
    }
    // If the list itself is refused, the problems of its entries are omitted.
    const wrong = new Set(problems.map(({ field }) => field));
    problems.push(...ofEntries.filter(({ field }) => !wrong.has(field.slice(0, field.indexOf('[')))));
    if (problems.length > 0) throw validationFailed(problems.slice(0, DETAILS_MAX));
    return body;
  }
}

function problemsOf(error: ValidationError, parent: string): FieldProblem[] {
  const field = pathOf(error.property, parent);
  const own = error.constraints ? [{ field, problem: chosen(error.constraints, error.property) }] : [];
  // If the field itself is refused, the problems inside it are omitted.
  return own.length > 0 ? own : (error.children ?? []).flatMap((child) => problemsOf(child, field));
}

function pathOf(property: string, parent: string): string {
  if (parent === '') return property;
  return /^\d+$/.test(property) ? `${parent}[${property}]` : `${parent}.${property}`;
}

/** One problem for each field: preferably that it is missing. Without the field name, which `field` already has. */
function chosen(constraints: Record<string, string>, property: string): string {
  const message =
    constraints['isDefined'] ?? constraints['field'] ?? Object.values(constraints)[0] ?? 'is not valid';
  return message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
}

type Fields = Record<string, unknown>;

const NESTED = new FieldRegistry<() => Type>();
const NAMES = new WeakMap<Type, readonly string[]>();

/** Marks a field as an object of a class. */
export const Nested = (of: () => Type): PropertyDecorator => NESTED.give(of);

/** The objects of a class among the fields of a class. */
export const nestedOf = (type: Type): ReadonlyMap<string, () => Type> => NESTED.valuesOf(type);

/**
 * Keeps only the fields that the class of a body or a query has, also in nested objects. class-transformer would
 * process unknown fields one by one before it drops them: 9,900 of them take 100 ms or more.
 */
export function knownFieldsOf(sent: object, type: Type): Fields {
  const known: Fields = {};
  const nested = NESTED.valuesOf(type);
  for (const name of namesOf(type)) {
    if (!Object.hasOwn(sent, name)) continue;
    const value = (sent as Fields)[name];
    const of = nested.get(name);
    known[name] = of && isObject(value) ? knownFieldsOf(value, of()) : value;
  }
  return known;
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function namesOf(type: Type): readonly string[] {
  const known = NAMES.get(type);
  if (known) return known;
  const checks = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const names = [...new Set(checks.map(({ propertyName }) => propertyName))];
  NAMES.set(type, names);
  return names;
}

const LISTS = new FieldRegistry<() => Type>();

/**
 * Marks a field as a list of objects of a class. `takeEntries` checks its entries, because class-transformer and
 * class-validator would take twenty times as long for a list of a thousand, and block the event loop meanwhile.
 */
export const Entries = (of: () => Type): PropertyDecorator => LISTS.give(of);

/** The lists of objects among the fields of a class. */
export const listsOf = (type: Type): ReadonlyMap<string, () => Type> => LISTS.valuesOf(type);

export interface TakenEntries {
  /** The body, with a placeholder for each entry. */
  readonly rest: Fields;
  /** The entries by the name of their list, without fields that their class does not have. */
  readonly lists: Readonly<Record<string, readonly unknown[]>>;
  readonly problems: readonly FieldProblem[];
}

/** Checks the entries of a body's lists and replaces them by placeholders. The lists are checked with the body. */
export function takeEntries(body: Fields, lists: ReadonlyMap<string, () => Type>): TakenEntries {
  const rest = { ...body };
  const taken: Record<string, readonly unknown[]> = {};
  const problems: FieldProblem[] = [];
  for (const [name, of] of lists) {
    const list = rest[name];
    // The check of the field itself refuses anything but a list.
    if (!Array.isArray(list)) continue;
    // It also counts the placeholders, and refuses those that are lists.
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
