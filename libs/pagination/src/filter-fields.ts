import type { PlainDate } from '@counterfoil/kernel';

/** The types of filter values, as use cases receive them. */
interface FilterValues {
  /** Part of a text, case-insensitive. `%`, `_` and `\` have no special meaning. Blank matches everything. */
  readonly search: string;
  readonly text: string;
  readonly id: number;
  readonly day: PlainDate;
  readonly time: Date;
  readonly flag: boolean;
  readonly currency: string;
}

interface Described {
  readonly description?: string;
}

/** The declaration of a query parameter that filters a list. */
export type FilterField =
  | ({ readonly kind: Exclude<keyof FilterValues, 'text'> } & Described)
  | ({ readonly kind: 'text'; readonly max: number } & Described)
  | ({ readonly kind: 'choice'; readonly choices: readonly string[] } & Described);

export type FilterFields = Readonly<Record<string, FilterField>>;

/** The filter type that the fields declare. An absent filter matches all rows. */
export type FilterOf<Fields extends FilterFields> = {
  readonly [Name in keyof Fields]?: ValueOf<Fields[Name]> | undefined;
};

type ValueOf<Field extends FilterField> = Field extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Field extends { readonly kind: infer Kind extends keyof FilterValues }
    ? FilterValues[Kind]
    : never;
