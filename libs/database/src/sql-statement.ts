/** Matches `:name` and `:name.field` outside of literals, quoted names, comments and casts. */
const PARAMETER = /'[^']*'|"[^"]*"|--.*|::|:([a-z]\w*(?:\.[a-z]\w*)*)/gi;

export interface StatementOptions<Row extends object> {
  /**
   * For the hottest paths: each connection plans the statement once, and uses the plan for all parameters. PostgreSQL
   * does so only if it expects a plan for the given values to be no cheaper. It always expects that of a short array,
   * unless a subquery hides its length: `any ((select :ids::bigint[])::bigint[])`.
   */
  readonly prepared?: boolean;
  /**
   * Columns that are never null in the result, although their tables allow it, because of the conditions of
   * the statement.
   */
  readonly present?: readonly (keyof Row & string)[];
}

/** SQL of fixed text, with named parameters and typed rows. */
export class SqlStatement<Parameters extends object, Row extends object> {
  /** The text with `$1` and so on, as it is sent. */
  readonly text: string;
  /** The parameters in the order of their numbers, each as a path of names. */
  readonly parameters: readonly (readonly string[])[];
  readonly prepared: boolean;
  readonly present: readonly string[];
  /** Exists for the compiler only. */
  declare readonly types: { readonly parameters: Parameters; readonly row: Row };

  constructor(
    /** Unique in the service. A connection identifies a prepared statement by it. */
    readonly name: string,
    source: string,
    { prepared = false, present = [] }: StatementOptions<Row>,
  ) {
    const paths: string[] = [];
    this.text = source.replace(PARAMETER, (found, path: string | undefined) => {
      if (path === undefined) return found;
      if (!paths.includes(path)) paths.push(path);
      return `$${paths.indexOf(path) + 1}`;
    });
    this.parameters = paths.map((path) => path.split('.'));
    this.prepared = prepared;
    this.present = present;
  }

  /** Builds the query for the driver. */
  query(parameters: Parameters): {
    readonly name?: string;
    readonly text: string;
    readonly values: unknown[];
  } {
    const values = this.parameters.map((path) => valueAt(parameters, path));
    return this.prepared ? { name: this.name, text: this.text, values } : { text: this.text, values };
  }
}

export type RowOf<Statement extends SqlStatement<object, object>> = Statement['types']['row'];

/**
 * Declares SQL of fixed text. Export it from a file `*.sql.ts`: `npm run check` then compares its parameters
 * and rows with the migrated database.
 *
 * `:name` is a parameter, `:name.field` a field of it. If the parameter is an array, `:name.field` is the
 * array of that field of all elements, for `unnest`.
 */
export function statement<Parameters extends object, Row extends object = Record<never, never>>(
  name: string,
  text: string,
  options: StatementOptions<Row> = {},
): SqlStatement<Parameters, Row> {
  return new SqlStatement(name, text, options);
}

function valueAt(value: unknown, path: readonly string[], from = 0): unknown {
  const name = path[from];
  if (name === undefined) return value;
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((each) => valueAt(each, path, from));
  return valueAt((value as Readonly<Record<string, unknown>>)[name], path, from + 1);
}
