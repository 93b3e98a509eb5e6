import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';

/** The documentation of an answer's field besides its type. */
interface PropertyOptions {
  readonly nullable?: boolean;
  /** False if some answers leave the field out. */
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maxItems?: number;
}

const property =
  (schema: object) =>
  (options: PropertyOptions = {}) =>
    ApiProperty({ ...schema, ...options });

export const TextProperty = property({ type: 'string' });
export const NumberProperty = property({ type: 'number' });
export const IntegerProperty = property({ type: 'integer' });
export const BooleanProperty = property({ type: 'boolean' });
export const UuidProperty = property({ type: 'string', format: 'uuid' });
export const UriProperty = property({ type: 'string', format: 'uri' });
/** A calendar date, YYYY-MM-DD. */
export const DateProperty = property({ type: 'string', format: 'date' });
/** An ISO 8601 timestamp. */
export const TimeProperty = property({ type: 'string', format: 'date-time' });

/** One of a few values. */
export const ChoiceProperty = (choices: readonly unknown[], options?: PropertyOptions) =>
  property({ enum: choices })(options);

export const ObjectProperty = (of: Type, options?: PropertyOptions) => property({ type: of })(options);

export const ListProperty = (of: Type, options?: PropertyOptions) => property({ type: [of] })(options);
