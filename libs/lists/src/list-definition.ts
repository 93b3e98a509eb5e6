import type { Sort } from '@counterfoil/pagination';

/** A search text as SQL. Each function adds a parameter to the statement and returns its placeholder. */
export interface SearchedText {
  /** The lower-case text. */
  readonly term: () => string;
  /** A pattern for `like` that matches the text anywhere. */
  readonly pattern: () => string;
  /** Whether the text is long enough for the search index (`search_grams`). */
  readonly isLookedUp: boolean;
  /** Whether the index match is exact, so that no comparison with the pattern is needed. */
  readonly isGram: boolean;
}

/** The parts that a search adds to a list: a narrower `from`, a condition, or both. */
export type TextSearch = (text: SearchedText) => {
  readonly from: string | null;
  readonly where: string | null;
};

/** The declaration of a list. `$1` in its SQL is the scope, usually the id of a company. */
export interface ListDefinition<Filter extends object, By extends string> {
  /** Unique among all lists. */
  readonly name: string;
  /** A `from` clause with an alias. It has the columns of filters and sorts. */
  readonly from: string;
  /** The id of a row of `from`. */
  readonly id: string;
  /** The condition of the rows in the scope. */
  readonly scope: string;
  /** The condition of each filter, with `?` for its value, or a text search. */
  readonly filters: { readonly [Name in keyof Filter]-?: string | TextSearch };
  /**
   * The columns of each sort; the last one is unique. A column with the suffix `desc` is sorted in the
   * opposite direction. Only the first column may be null.
   */
  readonly sorts: { readonly [Key in By]: readonly string[] };
  readonly rows: {
    /** The select list of a row. It includes `id`, which is null if the row is missing. */
    readonly columns: string;
    /** Left joins to `page`, which has an `id`. */
    readonly joins: string;
    /** The order of rows of the same `page.id`, if there may be several. */
    readonly within?: string;
  };
  /** The number of rows as SQL, if it is known without counting; otherwise null. */
  readonly total?: (request: {
    readonly filter: Filter;
    /** True without any filter. */
    readonly isAll: boolean;
    readonly parameter: (value: unknown) => string;
  }) => string | null;
  /**
   * Required by `CachedListReader`: SQL for the number of the last change to anything that the list filters,
   * searches or sorts by. A statement that reads a number must see every change up to it, and none after.
   */
  readonly version?: string;
}

/** The filter and the order of a request. */
export interface ListQuery<Filter extends object, By extends string> {
  readonly filter: Filter;
  readonly sort: Sort<By>;
}
