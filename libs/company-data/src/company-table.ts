/** The effect of an erasure on the rows of a company. */
export interface TableErasure {
  /** Why rows are kept, removed or changed. */
  readonly why: string;
  /** Removes the rows to which no remaining row refers. */
  readonly removes?: true;
  /** The table with whose rows those of this one are removed: by its `noting`, or by what reads what that has noted. */
  readonly removedWith?: string;
  /** Rows that must not exist when an erasure begins: their condition, and what the operator must wait for. */
  readonly waitsFor?: { readonly rows: string; readonly what: string };
  /** A further statement of each removal, as SQL that reads the removed rows from `removed`. */
  readonly noting?: string;
  /** Columns of the rows that remain, each with the SQL of its new value. */
  readonly sets?: Readonly<Record<string, string>>;
  /** The same, only of rows to which no remaining row refers. */
  readonly setsUnused?: Readonly<Record<string, string>>;
  /**
   * The key by which an erasure goes through the whole table, a bounded number of rows at a time. For a table in which no
   * index finds the rows of a company.
   */
  readonly scans?: string;
}

/** A table with rows of companies, as its owner declares it for export and erasure. */
export interface CompanyTable {
  readonly table: string;
  /** The condition of a company's rows `t`, as SQL; `$1` is the id of the company. Default: `t.company_id = $1`. */
  readonly rows?: string;
  /** Columns that are not exported, each with the reason. Generated columns never are. */
  readonly leftOut?: Readonly<Record<string, string>>;
  /** Why the table is not exported; exported if absent. */
  readonly notExported?: string;
  readonly erasure: TableErasure;
}

/** Secrets are of no use outside of this installation, and open something inside it. */
export const SECRET = 'a secret of this installation';

export function rowsOf({ rows = 't.company_id = $1' }: CompanyTable): string {
  return rows;
}
