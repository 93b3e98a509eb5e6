import type { Pagination } from '@counterfoil/pagination';
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiProperty, getSchemaPath } from '@nestjs/swagger';

/** The position of a page in its list (contract §2.3). */
export class PaginationBody implements Pagination {
  @ApiProperty({ type: 'integer' })
  readonly total!: number;
  @ApiProperty({ type: 'integer' })
  readonly limit!: number;
  @ApiProperty({ type: 'integer' })
  readonly offset!: number;
  @ApiProperty()
  readonly hasMore!: boolean;
  @ApiProperty({ type: 'integer' })
  readonly page!: number;
  @ApiProperty({ type: 'integer' })
  readonly pageSize!: number;
  @ApiProperty({ type: 'integer' })
  readonly totalPages!: number;
}

export class SuccessBody {
  @ApiProperty({ enum: [true] })
  readonly success!: true;
}

export const SUCCESS: SuccessBody = { success: true };

/**
 * Documents the answer of a list: `{ data, pagination }` and further keys.
 *
 * @param row the type of a row; if there are several, each row has one of them
 * @param always keys that every answer has
 * @param sometimes keys that only some answers have
 */
export const ApiPageOf = (
  row: Type | readonly Type[],
  always: Record<string, object> = {},
  sometimes: Record<string, object> = {},
) => {
  const rows = [row].flat();
  const refs = rows.map((type) => ({ $ref: getSchemaPath(type) }));
  return applyDecorators(
    ApiExtraModels(...rows, PaginationBody),
    ApiOkResponse({
      schema: {
        type: 'object',
        required: ['data', 'pagination', ...Object.keys(always)],
        properties: {
          data: { type: 'array', items: refs.length > 1 ? { anyOf: refs } : (refs[0] ?? {}) },
          pagination: { $ref: getSchemaPath(PaginationBody) },
          ...always,
          ...sometimes,
        },
      },
    }),
  );
};

/** The documentation of a field of an answer, without its type. */
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
