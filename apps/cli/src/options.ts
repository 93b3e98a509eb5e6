import { InvalidArgumentError, Option } from 'commander';

const plain = (text: string): string => text.toUpperCase().replaceAll('-', '_');

/** Finds a value in either spelling, `tax-invoice` or `TAX_INVOICE`, as paths of the API do. */
export function choiceOf<Value extends string>(values: readonly Value[], text: string): Value {
  const found = values.find((value) => plain(value) === plain(text));
  if (found !== undefined) return found;
  throw new InvalidArgumentError(`It must be one of ${values.join(', ')}.`);
}

/** An option that takes one of the values. Help and completions list them. */
export function choice(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, description).choices(values).argParser((text: string) => choiceOf(values, text));
}

/** A whole number from 1. */
export function count(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1.');
}

/** Several of them, as an argument that can be repeated. */
export const counts = (text: string, before: readonly number[] = []): number[] => [...before, count(text)];
