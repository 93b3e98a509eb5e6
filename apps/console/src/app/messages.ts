/** The languages of the console. English is the one that all texts are written in first. */
export const LANGUAGES = ['en', 'he'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * The texts of one screen or part. `{name}` is a placeholder. A text that counts has a form for one in front of a bar:
 * `{count} line|{count} lines`. The value of the first placeholder of the form for many decides.
 */
export interface Catalogue<Key extends string = string> {
  readonly en: Readonly<Record<Key, string>>;
  readonly he: Readonly<Record<Key, string>>;
}

/** Declares texts: a key that one language lacks does not compile. */
export function messages<Key extends string>(catalogue: Catalogue<Key>): Catalogue<Key> {
  return catalogue;
}

export type Values = Readonly<Record<string, string | number>>;

/** The forms of a text: one, or that of one and that of many. */
export const formsOf = (text: string): readonly string[] => text.split('|');

/** Its group is the name of the first placeholder of a text. */
export const PLACEHOLDER = /\{(\w+)\}/;

/** Chooses the form of a text, and replaces its placeholders. */
export function fill(text: string, values: Values = {}): string {
  const [one = '', many = one] = formsOf(text);
  const counted = values[PLACEHOLDER.exec(many)?.[1] ?? ''];
  const form = String(counted) === '1' ? one : many;
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
