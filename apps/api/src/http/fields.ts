import {
  UNIT_MAX,
  UNIT_SCALE,
  hasScale,
  INTERVALS,
  isCurrencyCode,
  isId,
  isPlainDate,
  MONEY_MAX,
  MONEY_SCALE,
  parseTimestamp,
} from '@counterfoil/kernel';
import { applyDecorators, type Type } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type as TypeOf } from 'class-transformer';
import { isISO31661Alpha2, ValidateNested } from 'class-validator';
import { field, type FieldOptions } from './field';
import { Entries, Nested } from './validation';

/** The form of a text. `isRight` says more about it than a pattern can. */
export interface TextForm {
  readonly pattern: RegExp;
  readonly problem: string;
  readonly isRight?: (text: string) => boolean;
}

export const ONE_LINE: TextForm = {
  pattern: /^[^\r\n\v\f\u0085\u2028\u2029]*$/,
  problem: 'must be one line',
};

/**
 * Text that is not blank, with a maximum length and an optional format. An empty text in an `optional` field is read as
 * null, as in a `clearable` one, but not in the entries of a list, whose values are kept as sent. With `mayBeEmpty` an
 * edit accepts it as well; the domain decides on its meaning.
 */
export function TextField(
  options: FieldOptions & {
    readonly max: number;
    readonly form?: TextForm;
    readonly mayBeEmpty?: boolean;
  },
) {
  const { max, form } = options;
  const emptyIsNull = options.presence === 'optional' || options.presence === 'clearable';
  const mayBeEmpty = emptyIsNull || options.mayBeEmpty === true;
  const pattern = form ? { pattern: mayBeEmpty ? `^$|${form.pattern.source}` : form.pattern.source } : {};
  const schema = { type: 'string', minLength: mayBeEmpty ? 0 : 1, maxLength: max, ...pattern } as const;
  const text = field(options, schema, (value) => {
    if (typeof value !== 'string') return 'must be text';
    if (value === '' && mayBeEmpty) return null;
    if (value.trim() === '') return 'must not be empty';
    if (isLongerThan(value, max)) return `must be at most ${max} characters`;
    if (!form) return null;
    return form.pattern.test(value) && (form.isRight?.(value) ?? true) ? null : form.problem;
  });
  if (!emptyIsNull) return text;
  return applyDecorators(
    text,
    Transform(({ value }: { value: unknown }) => (value === '' ? null : value)),
  );
}

/** Whether a text has more characters (code points) than this. Those of a text that is far too long are not counted. */
export const isLongerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || [...text].length > max);

/** One of a few names. */
export function ChoiceField(options: FieldOptions & { readonly choices: readonly string[] }) {
  const { choices } = options;
  return field(options, { type: 'string', enum: [...choices] }, (value) =>
    choices.includes(value as string) ? null : `must be one of ${choices.join(', ')}`,
  );
}

/** One of a few numbers. */
export function NumberChoiceField(options: FieldOptions & { readonly choices: readonly number[] }) {
  const { choices } = options;
  return field(options, { type: 'integer', enum: [...choices] }, (value) =>
    choices.includes(value as number) ? null : `must be one of ${choices.join(', ')}`,
  );
}

/** The interval of a schedule. */
export const IntervalField = () =>
  ChoiceField({
    presence: 'required',
    choices: INTERVALS,
    description:
      'Each date is counted from the first: after 31 January comes the last day of February, and then 31 March.',
  });

/** Exactly `true` or `false`. */
export function BooleanField(options: FieldOptions) {
  return field(options, { type: 'boolean' }, (value) =>
    typeof value === 'boolean' ? null : 'must be true or false',
  );
}

/** A numeric id in a body. */
export function IdField(options: FieldOptions) {
  return field(options, { type: 'integer', minimum: 1 }, (value) =>
    isId(value) ? null : 'must be a numeric id',
  );
}

/** A whole number within bounds. */
export function IntegerField(options: FieldOptions & { readonly min: number; readonly max: number }) {
  const { min, max } = options;
  return field(options, { type: 'integer', minimum: min, maximum: max }, (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? null
      : `must be a whole number from ${min} to ${max}`,
  );
}

/** A whole number from 0, or an empty text for no code. */
export function CodeOrEmptyField(options: FieldOptions) {
  const max = Number.MAX_SAFE_INTEGER;
  const schema = {
    oneOf: [
      { type: 'integer', minimum: 0, maximum: max },
      { type: 'string', maxLength: 0 },
    ],
  } as ApiPropertyOptions;
  return field(options, schema, (value) => {
    const isCode = Number.isSafeInteger(value) && (value as number) >= 0;
    return isCode || value === '' ? null : `must be a whole number from 0 to ${max}, or empty`;
  });
}

interface DecimalRules {
  readonly scale: number;
  readonly max: number;
  readonly aboveZero?: boolean;
}

/** A decimal that is refused, never rounded, when it has too many places (contract §1.3). */
function decimalField(options: FieldOptions, { scale, max, aboveZero = false }: DecimalRules) {
  const bounds = aboveZero ? { exclusiveMinimum: true, minimum: 0 } : { minimum: 0 };
  return field(options, { type: 'number', maximum: max, ...bounds }, (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
    if (value < 0) return aboveZero ? 'must be greater than zero' : 'must not be negative';
    if (aboveZero && value === 0) return 'must be greater than zero';
    if (value > max) return `must be at most ${max}`;
    return hasScale(value, scale) ? null : `must have at most ${scale} decimals`;
  });
}

/** Money: at most 2 decimals, greater than zero. */
export const MoneyField = (options: FieldOptions) =>
  decimalField(options, { scale: MONEY_SCALE, max: MONEY_MAX, aboveZero: true });

/** Money that may be zero: at most 2 decimals. */
export const MoneyOrZeroField = (options: FieldOptions) =>
  decimalField(options, { scale: MONEY_SCALE, max: MONEY_MAX });

/** A quantity: at most 4 decimals, greater than zero. */
export const QuantityField = (options: FieldOptions) =>
  decimalField(options, { scale: UNIT_SCALE, max: UNIT_MAX, aboveZero: true });

/** A quantity that may be zero: at most 4 decimals. */
export const QuantityOrZeroField = (options: FieldOptions) =>
  decimalField(options, { scale: UNIT_SCALE, max: UNIT_MAX });

/** A price of one unit: at most 4 decimals, zero or more. */
export const UnitPriceField = (options: FieldOptions) =>
  decimalField(options, { scale: UNIT_SCALE, max: UNIT_MAX });

/** An exchange rate: at most 4 decimals, greater than zero. */
export const RateField = (options: FieldOptions) =>
  decimalField(options, { scale: UNIT_SCALE, max: UNIT_MAX, aboveZero: true });

/** A percent from 0 to 100, at most 4 decimals: 18, not 0.18. */
export const PercentField = (options: FieldOptions) => decimalField(options, { scale: UNIT_SCALE, max: 100 });

/** A real calendar date, YYYY-MM-DD. */
export function PlainDateField(options: FieldOptions) {
  return field({ example: '2026-11-21', ...options }, { type: 'string', format: 'date' }, (value) =>
    typeof value === 'string' && isPlainDate(value) ? null : 'must be a calendar date, YYYY-MM-DD',
  );
}

/** An ISO 8601 timestamp: a date and a time with its offset, or a date alone, which is its midnight in UTC. */
export function TimestampField(
  options: FieldOptions,
  isValid = (value: unknown) => typeof value === 'string' && parseTimestamp(value) !== null,
) {
  const schema = { type: 'string', maxLength: 64 } as const;
  return field({ example: '2026-11-21T09:30:00Z', ...options }, schema, (value) =>
    isValid(value) ? null : 'must be an ISO 8601 timestamp, such as 2026-11-21T09:30:00Z',
  );
}

/** A current ISO 4217 currency code, in capitals. */
export function CurrencyField(options: FieldOptions) {
  return field({ example: 'ILS', ...options }, { type: 'string', pattern: '^[A-Z]{3}$' }, (value) =>
    typeof value === 'string' && isCurrencyCode(value)
      ? null
      : 'must be an ISO 4217 currency code, such as ILS',
  );
}

/** An ISO 3166-1 country code of two capital letters. */
export function CountryField(options: FieldOptions) {
  return field({ example: 'IL', ...options }, { type: 'string', pattern: '^[A-Z]{2}$' }, (value) =>
    typeof value === 'string' && value === value.toUpperCase() && isISO31661Alpha2(value)
      ? null
      : 'must be an ISO 3166-1 country code of two capital letters, such as IL',
  );
}

/** One object of a class. */
export function ObjectField(options: FieldOptions & { readonly of: () => Type }) {
  const { of } = options;
  const check = field(options, { type: of() }, (value) =>
    typeof value === 'object' && !Array.isArray(value) ? null : 'must be an object',
  );
  return applyDecorators(check, Nested(of), ValidateNested({ message: 'must be an object' }), TypeOf(of));
}

/** A list of texts. The domain decides which texts are valid. */
export function TextListField(options: FieldOptions & { readonly maxItems: number; readonly max: number }) {
  const { maxItems, max } = options;
  const schema = { type: 'array', items: { type: 'string', maxLength: max }, maxItems } as ApiPropertyOptions;
  return field(options, schema, (value) => {
    if (!Array.isArray(value)) return 'must be a list';
    if (value.length > maxItems) return `must have at most ${maxItems} entries`;
    return value.every((entry) => typeof entry === 'string' && !isLongerThan(entry, max))
      ? null
      : `must be a list of texts of at most ${max} characters`;
  });
}

/** A list of different whole numbers within bounds. */
export function IntegerListField(
  options: FieldOptions & { readonly maxItems: number; readonly min: number; readonly max: number },
) {
  const { maxItems, min, max } = options;
  const items = { type: 'integer', minimum: min, maximum: max };
  const schema = { type: 'array', items, maxItems, uniqueItems: true } as ApiPropertyOptions;
  return field(options, schema, (value) => {
    if (!Array.isArray(value)) return 'must be a list';
    if (value.length > maxItems) return `must have at most ${maxItems} entries`;
    if (new Set(value).size < value.length) return 'must have no entry twice';
    return value.every((entry) => Number.isInteger(entry) && entry >= min && entry <= max)
      ? null
      : `must be a list of whole numbers from ${min} to ${max}`;
  });
}

/** A list of numeric ids. */
export function IdListField(options: FieldOptions & { readonly maxItems: number }) {
  const { maxItems } = options;
  const schema = { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems } as ApiPropertyOptions;
  return field(options, schema, (value) => {
    if (!Array.isArray(value)) return 'must be a list';
    if (value.length > maxItems) return `must have at most ${maxItems} entries`;
    return value.every(isId) ? null : 'must be a list of numeric ids';
  });
}

/** A list of objects of one class. */
export function ObjectListField(
  options: FieldOptions & { readonly of: () => Type; readonly minItems?: number; readonly maxItems: number },
) {
  const { of, minItems = 0, maxItems } = options;
  const schema = { type: [of()], minItems, maxItems } as ApiPropertyOptions;
  const check = field(options, schema, (value) => {
    if (!Array.isArray(value)) return 'must be a list';
    if (value.length < minItems)
      return `must have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`;
    if (value.length > maxItems) return `must have at most ${maxItems} entries`;
    // A list is an object to `typeof`, so a list within the list must be refused here.
    return value.some(Array.isArray) ? 'must be a list of objects' : null;
  });
  return applyDecorators(check, Entries(of));
}
