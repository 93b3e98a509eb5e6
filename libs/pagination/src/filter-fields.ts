import type { PlainDate } from '@counterfoil/kernel';

/** The kinds of value that a filter of a list takes, as the use case gets it. */
interface FilterValues {
  /** Part of a text, case aside; `%`, `_` and `\` stand for themselves. Blank: everything. */
  readonly search: string;
  readonly text: string;
  readonly id: number;
  readonly day: PlainDate;
  readonly flag: boolean;
  readonly currency: string;
}

interface Described {
  readonly description?: string;
}

/** How a filter of a list is sent. */
export type FilterField =
  | ({ readonly kind: Exclude<keyof FilterValues, 'text'> } & Described)
  | ({ readonly kind: 'text'; readonly max: number } & Described)
  | ({ readonly kind: 'choice'; readonly choices: readonly string[] } & Described);

export type FilterFields = Readonly<Record<string, FilterField>>;

/** The filter that fields make. One that is left out lets all pass. */
export type FilterOf<Fields extends FilterFields> = {
  readonly [Name in keyof Fields]?: ValueOf<Fields[Name]> | undefined;
};

type ValueOf<Field extends FilterField> = Field extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Field extends { readonly kind: infer Kind extends keyof FilterValues }
    ? FilterValues[Kind]
    : never;
