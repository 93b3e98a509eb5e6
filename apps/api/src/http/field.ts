import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsDefined, IsOptional, ValidateBy, ValidateIf } from 'class-validator';
import { FieldRegistry } from './field-registry';

/**
 * Whether a field must be sent. `optional`: null counts as left out, for creating. `edit`: it may be left out, which
 * keeps the stored value, but null is refused (contract §1.5). `clearable`: an edit that also takes null, which
 * clears the stored value; for a text, so does the empty one.
 */
type Presence = 'required' | 'optional' | 'edit' | 'clearable';

export interface FieldOptions {
  readonly presence: Presence;
  /** Whether the body is one in which the field counts; in all others it may be left out, or be anything. */
  readonly onlyIn?: (body: object) => boolean;
  readonly description?: string;
  readonly example?: unknown;
}

type Check = (value: unknown) => string | null;

const CHECKS = new FieldRegistry<Check>();

/** The checks of a class's fields by name, each with the problem of a value that is missing. */
export const checksOf = (type: Type): ReadonlyMap<string, Check> => CHECKS.valuesOf(type);

/** One field of a body: how it is checked and how it is documented, said once. */
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
