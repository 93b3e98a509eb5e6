import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsDefined, IsOptional, ValidateBy, ValidateIf } from 'class-validator';

/**
 * Whether a field must be sent. `optional`: null counts as left out, for creating. `edit`: it may be left out, which
 * leaves what is stored, but null is refused (decisions §1). `clearable`: an edit that also takes null, which clears
 * what is stored; of a text, so does the empty one.
 */
type Presence = 'required' | 'optional' | 'edit' | 'clearable';

export interface FieldOptions {
  readonly presence: Presence;
  /** Whether the body is one in which the field counts; in all others it may be left out, or be anything. */
  readonly onlyIn?: (body: object) => boolean;
  readonly description?: string;
  readonly example?: unknown;
}

/** One field of a body: how it is checked and how it is documented, said once. */
export function field(
  options: FieldOptions,
  schema: ApiPropertyOptions,
  problemOf: (value: unknown) => string | null,
) {
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
  return applyDecorators(ApiProperty(documentation), PRESENCE[presence](), ...counts, check);
}

const PRESENCE: Record<Presence, () => PropertyDecorator> = {
  required: () => IsDefined({ message: 'is required' }),
  optional: () => IsOptional(),
  edit: () => ValidateIf((_, value: unknown) => value !== undefined),
  clearable: () => IsOptional(),
};
