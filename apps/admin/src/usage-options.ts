/** An option as `parseArgs` of Node takes it. */
interface Option {
  readonly type: 'string' | 'boolean';
}

/** A name, and what follows if the option takes a value: `--name NAME`, but `[--json]` and `--demo [--demo-key-file FILE]`. */
const OPTION = /--([a-z]+(?:-[a-z]+)*)( [^\s[\]-])?/g;

/** Reads from the usage of a command which options it takes, so that no option is documented and then refused. */
export function optionsIn(usage: string): Readonly<Record<string, Option>> {
  return Object.fromEntries(
    [...usage.matchAll(OPTION)].map(([, name = '', value]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string' },
    ]),
  );
}
