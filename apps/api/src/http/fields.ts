import {
  FINE_MAX,
  FINE_SCALE,
  hasScale,
  isPlainDate,
  MONEY_MAX,
  MONEY_SCALE,
  parseTimestamp,
} from '@counterfoil/kernel';
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Type as TypeOf } from 'class-transformer';
import {
  IsDefined,
  IsOptional,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  isISO4217CurrencyCode,
} from 'class-validator';

/** Longer texts are searched for by nobody. */
const SEARCH_MAX = 200;

/**
 * Whether a field must be sent. `optional`: null counts as left out, for creating. `edit`: it may be left out, which
 * leaves what is stored, but null is refused (decisions §1).
 */
type Presence = 'required' | 'optional' | 'edit';

interface FieldOptions {
  readonly presence: Presence;
  readonly description?: string;
  readonly example?: unknown;
}

/** One field of a body: how it is checked and how it is documented, said once. */
function field(
  options: FieldOptions,
  schema: ApiPropertyOptions,
  problemOf: (value: unknown) => string | null,
) {
  const { presence, description, example } = options;
  const check = ValidateBy({
    name: 'field',
    validator: {
      validate: (value: unknown) => problemOf(value) === null,
      defaultMessage: (context) => problemOf(context?.value) ?? 'is not valid',
    },
  });
  const documentation = {
    ...schema,
    required: presence === 'required',
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
    ...(presence === 'optional' ? { nullable: true } : {}),
  } as ApiPropertyOptions;
  return applyDecorators(ApiProperty(documentation), PRESENCE[presence](), check);
}

const PRESENCE: Record<Presence, () => PropertyDecorator> = {
  required: () => IsDefined({ message: 'is required' }),
  optional: () => IsOptional(),
  edit: () => ValidateIf((_, value: unknown) => value !== undefined),
};

/** Text that is not blank, of a limited number of characters, of a given form if one is given. */
export function TextField(
  options: FieldOptions & {
    readonly max: number;
    readonly form?: { readonly pattern: RegExp; readonly problem: string };
  },
) {
  const { max, form } = options;
  const pattern = form ? { pattern: form.pattern.source } : {};
  return field(options, { type: 'string', minLength: 1, maxLength: max, ...pattern }, (value) => {
    if (typeof value !== 'string') return 'must be text';
    if (value.trim() === '') return 'must not be empty';
    if ([...value].length > max) return `must be at most ${max} characters`;
    return form && !form.pattern.test(value) ? form.problem : null;
  });
}

/** One of a few names. */
export function ChoiceField(options: FieldOptions & { readonly choices: readonly string[] }) {
  const { choices } = options;
  return field(options, { type: 'string', enum: [...choices] }, (value) =>
    choices.includes(value as string) ? null : `must be one of ${choices.join(', ')}`,
  );
}

/** The numeric id of something. */
export function IdField(options: FieldOptions) {
  return field(options, { type: 'integer', minimum: 1 }, (value) =>
    isId(value) ? null : 'must be a numeric id',
  );
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
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

interface DecimalRules {
  readonly scale: number;
  readonly max: number;
  readonly aboveZero?: boolean;
}

/** A decimal that is refused, never rounded, when it has too many places (decisions §12). */
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

/** A quantity: at most 4 decimals, greater than zero. */
export const QuantityField = (options: FieldOptions) =>
  decimalField(options, { scale: FINE_SCALE, max: FINE_MAX, aboveZero: true });

/** A price of one unit: at most 4 decimals, zero or more. */
export const UnitPriceField = (options: FieldOptions) =>
  decimalField(options, { scale: FINE_SCALE, max: FINE_MAX });

/** A percent from 0 to 100, at most 4 decimals: 18, not 0.18. */
export const PercentField = (options: FieldOptions) => decimalField(options, { scale: FINE_SCALE, max: 100 });

/** A real calendar date, YYYY-MM-DD. */
export function PlainDateField(options: FieldOptions) {
  return field({ example: '2026-11-21', ...options }, { type: 'string', format: 'date' }, (value) =>
    typeof value === 'string' && isPlainDate(value) ? null : 'must be a calendar date, YYYY-MM-DD',
  );
}

/** An ISO 8601 timestamp: a date and a time with its offset, or a date alone, which is its midnight in UTC. */
export function TimestampField(options: FieldOptions) {
  const schema = { type: 'string', maxLength: 64 } as const;
  return field({ example: '2026-11-21T09:30:00Z', ...options }, schema, (value) =>
    typeof value === 'string' && parseTimestamp(value) ? null : 'must be an ISO 8601 timestamp',
  );
}

/** A currency of ISO 4217 as it stands today, in capitals. */
export function CurrencyField(options: FieldOptions) {
  return field({ example: 'ILS', ...options }, { type: 'string', pattern: '^[A-Z]{3}$' }, (value) =>
    typeof value === 'string' && value === value.toUpperCase() && isISO4217CurrencyCode(value)
      ? null
      : 'must be an ISO 4217 currency code',
  );
}

/** A list of texts. What each may be is a rule of the domain. */
export function TextListField(options: FieldOptions & { readonly maxItems: number; readonly max: number }) {
  const { maxItems, max } = options;
  const schema = { type: 'array', items: { type: 'string', maxLength: max }, maxItems } as ApiPropertyOptions;
  return field(options, schema, (value) => {
    if (!Array.isArray(value)) return 'must be a list';
    if (value.length > maxItems) return `must have at most ${maxItems} entries`;
    return value.every((entry) => typeof entry === 'string' && entry.length <= max)
      ? null
      : 'must be a list of texts';
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
    // An entry that is a list itself would have its own entries checked instead.
    return value.some(Array.isArray) ? 'must be a list of objects' : null;
  });
  const nested = ValidateNested({ each: true, message: 'must be an object' });
  return applyDecorators(check, nested, TypeOf(of));
}

/** What a list is searched for; blank searches for nothing. */
export function SearchField(options: Omit<FieldOptions, 'presence'>) {
  return field({ presence: 'edit', ...options }, { type: 'string', maxLength: SEARCH_MAX }, (value) => {
    if (typeof value !== 'string') return 'must be text';
    return [...value].length > SEARCH_MAX ? `must be at most ${SEARCH_MAX} characters` : null;
  });
}

/** A query parameter that is read where it is used, with an error code of its own. */
export function RawQueryField(options: Omit<FieldOptions, 'presence'>) {
  return field({ presence: 'edit', ...options }, { type: 'string' }, () => null);
}
