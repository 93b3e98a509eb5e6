import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { field, type FieldOptions } from './field';
import { BooleanField } from './fields';
import { ID_DIGITS, idIn } from './path-id';

/** Longer texts are searched for by nobody. */
const SEARCH_MAX = 200;

/** What a list is searched for; blank searches for nothing. */
export function SearchField(options: Omit<FieldOptions, 'presence'>) {
  return field({ presence: 'edit', ...options }, { type: 'string', maxLength: SEARCH_MAX }, (value) => {
    if (typeof value !== 'string') return 'must be text';
    return [...value].length > SEARCH_MAX ? `must be at most ${SEARCH_MAX} characters` : null;
  });
}

/** The numeric id of something, as digits; read as a number. */
export function IdQueryField(options: Partial<FieldOptions> = {}) {
  const schema = { type: 'integer', minimum: 0, maximum: 10 ** ID_DIGITS - 1 } as const;
  return applyDecorators(
    field({ presence: 'edit', ...options }, schema, (value) =>
      typeof value === 'number' ? null : 'must be a number',
    ),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (idIn(value) ?? value) : value,
    ),
  );
}

/** A query parameter that is read where it is used, with an error code of its own. */
export function RawQueryField(options: Omit<FieldOptions, 'presence'>) {
  return field({ presence: 'edit', ...options }, { type: 'string' }, () => null);
}

/** A query parameter that is exactly `true` or `false` (decisions §1); read as a boolean. */
export function BooleanQueryField(options: Omit<FieldOptions, 'presence'>) {
  return applyDecorators(
    BooleanField({ presence: 'edit', ...options }),
    Transform(({ value }: { value: unknown }) => BOOLEANS.get(value) ?? value),
  );
}

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
]);
