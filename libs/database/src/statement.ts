/** Nothing inside of texts and quoted names, nothing of comments and casts; `:name` and `:name.field` anywhere else. */
const PARAMETER = /'[^']*'|"[^"]*"|--.*|::|:([a-z]\w*(?:\.[a-z]\w*)*)/gi;

export interface StatementOptions<Row extends object> {
  /** For the hottest paths: each connection plans the statement once. One plan then has to do for all parameters. */
  readonly prepared?: boolean;
  /** Columns that are never null here, though their tables allow it: the conditions of the statement see to that. */
  readonly present?: readonly (keyof Row & string)[];
}

/** SQL of fixed text, with its parameters by name and the type of its rows. */
export class SqlStatement<Parameters extends object, Row extends object> {
  /** With `$1` and so on, as it is sent. */
  readonly text: string;
  /** The parameters in the order of their numbers, each as the names on the way to it. */
  readonly parameters: readonly (readonly string[])[];
  readonly prepared: boolean;
  readonly present: readonly string[];
  /** Types alone: nobody can read them. */
  declare readonly types: { readonly parameters: Parameters; readonly row: Row };

  constructor(
    /** Unique among all of the service's statements; a connection knows a prepared one by it. */
    readonly name: string,
    written: string,
    { prepared = false, present = [] }: StatementOptions<Row>,
  ) {
    const paths: string[] = [];
    this.text = written.replace(PARAMETER, (found, path: string | undefined) => {
      if (path === undefined) return found;
      if (!paths.includes(path)) paths.push(path);
      return `$${paths.indexOf(path) + 1}`;
    });
    this.parameters = paths.map((path) => path.split('.'));
    this.prepared = prepared;
    this.present = present;
  }

  /** The query as the driver takes it. */
  query(parameters: Parameters): {
    readonly name?: string;
    readonly text: string;
    readonly values: unknown[];
  } {
    const values = this.parameters.map((path) => valueAt(parameters, path));
    return this.prepared ? { name: this.name, text: this.text, values } : { text: this.text, values };
  }
}

/** The type of a statement's rows. */
export type RowOf<Statement extends SqlStatement<object, object>> = Statement['types']['row'];

/**
 * Declares SQL of fixed text. It stands in a file `*.sql.ts` and is exported: `npm run check` compares parameters and
 * rows of every such statement with the migrated database.
 *
 * `:name` is a parameter. `:name.field` is a field of one; of a parameter that is an array it is the array of that
 * field of all elements, for `unnest`.
 */
export function statement<Parameters extends object, Row extends object = Record<never, never>>(
  name: string,
  text: string,
  options: StatementOptions<Row> = {},
): SqlStatement<Parameters, Row> {
  return new SqlStatement(name, text, options);
}

function valueAt(of: unknown, path: readonly string[], from = 0): unknown {
  const name = path[from];
  if (name === undefined) return of;
  if (of === null || of === undefined) return null;
  if (Array.isArray(of)) return of.map((each) => valueAt(each, path, from));
  return valueAt((of as Readonly<Record<string, unknown>>)[name], path, from + 1);
}
