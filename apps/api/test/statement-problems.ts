import type { Described, DescribedColumn, Shape } from '@counterfoil/test-harness';
import ts from 'typescript';
import type { DeclaredStatement } from './declared-statements';

/** PostgreSQL truncates longer names of prepared statements. */
const NAME_LENGTH_MAX = 63;

/** Returns the differences between a statement's declared types and PostgreSQL's description. */
export function problemsOf(
  declared: DeclaredStatement,
  described: Described,
  types: ts.TypeChecker,
): string[] {
  const { statement, place } = declared;
  const reader = new TypeReader(types);
  const problems = [
    ...(statement.name.length > NAME_LENGTH_MAX ? [`its name is longer than ${NAME_LENGTH_MAX}`] : []),
    ...parameterProblems(declared, described, reader),
    ...columnProblems(declared, described, reader),
  ];
  return problems.map((problem) => `${place} ${statement.name}: ${problem}`);
}

function parameterProblems(
  { statement, parameters }: DeclaredStatement,
  described: Described,
  reader: TypeReader,
): string[] {
  const used = new Set(statement.parameters.map(([name]) => name));
  const unused = reader.fields(parameters).filter((name) => !used.has(name));
  return [
    ...unused.map((name) => `the parameter ${name} is declared and not used`),
    ...statement.parameters.flatMap((path, index) => {
      const name = path.join('.');
      const asked = described.parameters[index];
      const given = reader.at(parameters, path);
      if (!given) return [`:${name} is not declared`];
      if (!asked || reader.fits(given, asked.shape, 'sent')) return [];
      return [`:${name} is ${asked.type} and cannot be given as ${reader.text(given)}`];
    }),
  ];
}

function columnProblems(
  { statement, row }: DeclaredStatement,
  { columns }: Described,
  reader: TypeReader,
): string[] {
  const declared = reader.fields(row);
  // If the declared row has no fields, the result is not read.
  if (declared.length === 0) return [];
  const names = columns.map(({ name }) => name);
  return [
    ...declared.filter((name) => !names.includes(name)).map((name) => `no column is named ${name}`),
    ...names
      .filter((name, index) => names.indexOf(name) < index)
      .map((name) => `two columns are named ${name}`),
    ...columns.flatMap((column) => columnProblem(column, row, statement.present, reader)),
  ];
}

function columnProblem(
  { name, type, shape, nullable }: DescribedColumn,
  row: ts.Type,
  present: readonly string[],
  reader: TypeReader,
): string[] {
  const declared = reader.at(row, [name]);
  if (!declared) return [`the column ${name} is not declared`];
  if (reader.mayBeUndefined(declared)) return [`the column ${name} is never undefined`];
  if (!reader.fits(declared, shape, 'read'))
    return [`${name} is ${type} and cannot be read as ${reader.text(declared)}`];
  const isMarked = present.includes(name);
  const isUnsure = nullable && !reader.mayBeNull(declared);
  if (isUnsure && !isMarked) return [`${name} may be null: declare it so, or as \`present\``];
  return isMarked && !isUnsure ? [`${name} need not be declared as \`present\``] : [];
}

/** Compares TypeScript types with SQL types. */
class TypeReader {
  constructor(private readonly types: ts.TypeChecker) {}

  /** Returns the names of the properties of a type, or of all members of a union. */
  fields(type: ts.Type): string[] {
    return [...new Set(this.members(type).flatMap((each) => each.getProperties().map(({ name }) => name)))];
  }

  /** Returns the type at a path, and whether the path contains an array; null if there is none. */
  at(type: ts.Type, [name, ...rest]: readonly string[]): Found | null {
    if (name === undefined) return { types: [type] };
    const members = this.members(type).filter((each) => !isNothing(each));
    const elements = members.map((each) => this.elementOf(each));
    if (elements.some((element) => element !== null)) {
      const found = elements.map((element) => element && this.at(element, [name, ...rest]));
      return combined(found, (each) => ({ each }));
    }
    const found = members.map((each) => {
      const property = each.getProperty(name);
      return property ? this.at(this.types.getTypeOfSymbol(property), rest) : null;
    });
    // In a union, the property may be missing in some members.
    return combined(
      found.filter((each) => each !== null),
      (each) => each,
    );
  }

  fits(found: Found, shape: Shape, way: 'sent' | 'read'): boolean {
    if (found.each) return typeof shape === 'object' && this.fits(found.each, shape.each, way);
    return (found.types ?? [])
      .flatMap((type) => this.members(type))
      .filter((member) => !isNothing(member))
      .every((member) => this.memberFits(member, shape, way));
  }

  mayBeNull({ types = [] }: Found): boolean {
    return types.some((type) =>
      this.members(type).some(({ flags }) => (flags & (ts.TypeFlags.Null | ANYTHING)) !== 0),
    );
  }

  mayBeUndefined({ types = [] }: Found): boolean {
    return types.some((type) =>
      this.members(type).some(({ flags }) => (flags & ts.TypeFlags.Undefined) !== 0),
    );
  }

  text({ types = [], each }: Found): string {
    return each ? `${this.text(each)}[]` : types.map((type) => this.types.typeToString(type)).join(' | ');
  }

  private memberFits(type: ts.Type, shape: Shape, way: 'sent' | 'read'): boolean {
    if (typeof shape === 'object') {
      const element = this.elementOf(type);
      return element !== null && this.fits({ types: [element] }, shape.each, way);
    }
    if (type.isIntersection()) return type.types.some((each) => this.memberFits(each, shape, way));
    if (shape === 'json') return way === 'read' || (type.flags & SENT_AS_JSON) !== 0;
    // A bigint can be sent as a number, but is never read as one.
    if (way === 'sent' && shape === 'number' && (type.flags & ts.TypeFlags.BigIntLike) !== 0) return true;
    const flags = FLAGS[shape];
    return flags === undefined ? type.getSymbol()?.name === shape : (type.flags & flags) !== 0;
  }

  private elementOf(type: ts.Type): ts.Type | null {
    if (!this.types.isArrayType(type) && !this.types.isTupleType(type)) return null;
    const elements = this.types.getTypeArguments(type as ts.TypeReference);
    return elements[0] ?? null;
  }

  private members(type: ts.Type): readonly ts.Type[] {
    return type.isUnion() ? type.types : [type];
  }
}

/** A type at a path: the type itself, or the element type of an array. */
interface Found {
  readonly types?: readonly ts.Type[];
  readonly each?: Found;
}

const ANYTHING = ts.TypeFlags.Any | ts.TypeFlags.Unknown;
const SENT_AS_JSON = ts.TypeFlags.StringLike | ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive | ANYTHING;
const FLAGS: Partial<Record<Shape & string, ts.TypeFlags>> = {
  number: ts.TypeFlags.NumberLike,
  string: ts.TypeFlags.StringLike,
  boolean: ts.TypeFlags.BooleanLike,
};

const isNothing = ({ flags }: ts.Type): boolean =>
  (flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) !== 0;

function combined(found: readonly (Found | null)[], as: (found: Found) => Found): Found | null {
  const all = found.filter((each) => each !== null);
  if (all.length === 0 || all.length < found.length) return null;
  return as(all.length === 1 && all[0] ? all[0] : { types: all.flatMap(({ types = [] }) => types) });
}
