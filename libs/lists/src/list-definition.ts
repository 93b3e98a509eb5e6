import type { Sort } from '@counterfoil/pagination';

/** A text that is searched for, as SQL. Each function adds the parameter that it answers. */
export interface SearchedText {
  /** The text in lower case. */
  readonly term: () => string;
  /** A pattern for `like` that finds the text anywhere. */
  readonly pattern: () => string;
  /** Whether the text is long enough for the index of searches (`search_grams`). */
  readonly isLookedUp: boolean;
  /** Whether the index alone decides, without a comparison with the pattern. */
  readonly isGram: boolean;
}

/** The parts that a search adds to a list: a narrower `from`, a condition, or both. */
export type TextSearch = (text: SearchedText) => {
  readonly from: string | null;
  readonly where: string | null;
};

/** A list, as its context declares it. `$1` in any of its SQL is the scope: the id of a company, mostly. */
export interface ListDefinition<Filter extends object, By extends string> {
  /** Unique among all lists. */
  readonly name: string;
  /** Has the columns that are filtered and sorted by, with an alias. */
  readonly from: string;
  /** The id of a row of `from`. */
  readonly id: string;
  /** The condition of the rows in the scope. */
  readonly scope: string;
  /** The condition of each filter, with `?` in the place of its value, or the search of a text. */
  readonly filters: { readonly [Name in keyof Filter]-?: string | TextSearch };
  /** The columns of each sort; the last one is unique. One that ends in `desc` is sorted the other way round. */
  readonly sorts: { readonly [Key in By]: readonly string[] };
  readonly rows: {
    /** The select list of a row. One of the columns is `id`, and null where the row is missing. */
    readonly columns: string;
    /** Left joins to `page`, which has an `id`. */
    readonly joins: string;
    /** The order of rows of the same `page.id`, if there may be several. */
    readonly within?: string;
  };
  /** How many rows there are, as SQL, if that is known without counting them; else null. */
  readonly total?: (asked: {
    readonly filter: Filter;
    /** Whether no filter is asked for. */
    readonly isAll: boolean;
    readonly parameter: (value: unknown) => string;
  }) => string | null;
  /**
   * Of a list that `CachedLists` reads: the number of the last change of what it filters, searches and sorts by, as SQL.
   * A reader of a number sees every change up to it, and none after.
   */
  readonly version?: string;
}

/** Which rows of a list are asked for, and in which order. */
export interface ListQuery<Filter extends object, By extends string> {
  readonly filter: Filter;
  readonly sort: Sort<By>;
}
