/** The languages of the console. English is the one that all texts are written in first. */
export const LANGUAGES = ['en', 'he'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The texts of one screen or part. `{name}` is a placeholder. */
export interface Catalogue<Key extends string = string> {
  readonly en: Readonly<Record<Key, string>>;
  readonly he: Readonly<Record<Key, string>>;
}

/** Declares texts: a key that one language lacks does not compile. */
export function messages<Key extends string>(catalogue: Catalogue<Key>): Catalogue<Key> {
  return catalogue;
}

export type Values = Readonly<Record<string, string | number>>;

/** Replaces the placeholders of a text. */
export function fill(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
