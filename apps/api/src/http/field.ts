import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsDefined, IsOptional, ValidateBy, ValidateIf } from 'class-validator';
import { FieldRegistry } from './field-registry';

/**
 * Whether a field must be sent. `optional`, for creating: it may be omitted, and null counts as omitted, as does an
 * empty text in a text field. `edit`: it may be omitted, which keeps the stored value, but null is refused (contract
 * §1.5). `clearable`: like `edit`, but null clears the stored value, and so does an empty text.
 */
type Presence = 'required' | 'optional' | 'edit' | 'clearable';

export interface FieldOptions {
  readonly presence: Presence;
  /** Returns whether the field applies to this body. Otherwise it may be omitted, and is not checked. */
  readonly onlyIn?: (body: object) => boolean;
  readonly description?: string;
  readonly example?: unknown;
}

type Check = (value: unknown) => string | null;

const CHECKS = new FieldRegistry<Check>();

/** The checks of a class's fields by name. They also report a missing value. */
export const checksOf = (type: Type): ReadonlyMap<string, Check> => CHECKS.valuesOf(type);

/** Declares the check and the documentation of a field of a body. */
export function field(options: FieldOptions, schema: ApiPropertyOptions, problemOf: Check) {
  const { presence, onlyIn, description, example } = options;
  const check = ValidateBy({
    name: 'field',
    validator: {
      validate: (value: unknown) => problemOf(value) === null,
      defaultMessage: (context) => problemOf(context?.value) ?? 'is not valid',
    },
  });
  const documentation = {
    ...schema,
    required: presence === 'required' && !onlyIn,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
    ...(presence === 'optional' || presence === 'clearable' ? { nullable: true } : {}),
  } as ApiPropertyOptions;
  const counts = onlyIn ? [ValidateIf(onlyIn)] : [];
  const whole: Check = (value) => (isLeftOut(value, presence) ? absence(presence) : problemOf(value));
  return applyDecorators(
    ApiProperty(documentation),
    PRESENCE[presence](),
    ...counts,
    check,
    CHECKS.give(whole),
  );
}

const IS_REQUIRED = 'is required';

const isLeftOut = (value: unknown, presence: Presence): boolean =>
  value === undefined || (value === null && presence !== 'edit');

const absence = (presence: Presence): string | null => (presence === 'required' ? IS_REQUIRED : null);

const PRESENCE: Record<Presence, () => PropertyDecorator> = {
  required: () => IsDefined({ message: IS_REQUIRED }),
  optional: () => IsOptional(),
  edit: () => ValidateIf((_, value: unknown) => value !== undefined),
  clearable: () => IsOptional(),
};
