import type { Pagination } from '@counterfoil/pagination';
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiProperty, getSchemaPath } from '@nestjs/swagger';

/** The window that a list shows (spec: Pagination block). */
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
 * Documents a list's answer: `{ data, pagination }` and what stands beside them.
 *
 * @param row what the rows are; where there are several, each row is one of them
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
