import type { Pagination } from '@counterfoil/pagination';
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiOkResponse, ApiProperty, getSchemaPath } from '@nestjs/swagger';

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

/** How a list is read: page by page, at once, or batch by batch from where the last one ended. */
type ListKind = 'paged' | 'whole' | 'feed';

/** The extension that says how a list is read, on its operation and on its named schema. */
export const LIST = 'x-list';
/** The extension of a paged list that ends with the first page that has fewer rows than were asked for (contract §2.7). */
const LIST_END = 'x-list-end';

interface ListOptions {
  /** Keys that every answer has, in addition to `data` and `pagination`. */
  readonly always?: Record<string, object>;
  readonly name?: string;
  readonly kind?: ListKind;
}

/** The named schemas of lists, which are components of the description. */
export const LIST_SCHEMAS = new Map<string, object>();

/**
 * Names the schema of a list, `PageOf…` by default, and returns a reference to it.
 *
 * @param row the type of a row; if there are several, each row has one of them
 */
export function listSchema(
  row: Type | readonly Type[],
  options: ListOptions = {},
): { readonly $ref: string } {
  const types = [row].flat();
  const { always = {}, kind = 'paged', name = `PageOf${types.map(rowName).join('Or')}` } = options;
  const refs = types.map((type) => ({ $ref: getSchemaPath(type) }));
  LIST_SCHEMAS.set(name, {
    type: 'object',
    required: ['data', 'pagination', ...Object.keys(always)],
    properties: {
      data: { type: 'array', items: refs.length > 1 ? { anyOf: refs } : refs[0] },
      pagination: { $ref: getSchemaPath(PaginationBody) },
      ...always,
    },
    [LIST]: kind,
  });
  return { $ref: `#/components/schemas/${name}` };
}

const rowName = ({ name }: Type): string => name.replace(/(Row)?Body$/, '');

function ApiList(row: Type | readonly Type[], options: ListOptions) {
  return applyDecorators(
    ApiExtraModels(...[row].flat(), PaginationBody),
    ApiOkResponse({ schema: listSchema(row, options) }),
    ApiExtension(LIST, options.kind),
  );
}

/** Documents the answer of a paged list: `{ data, pagination }` and further keys. */
export const ApiPageOf = (row: Type | readonly Type[], always: Record<string, object> = {}) =>
  ApiList(row, { always, kind: 'paged' });

/** Documents the answer of a paged list that does not count its rows (contract §2.7). */
export const ApiUncountedPageOf = (row: Type) =>
  applyDecorators(ApiPageOf(row), ApiExtension(LIST_END, 'short-page'));

/** Documents the answer of a list that is never paged (contract §2.6), in the form of its only page. */
export const ApiWholeListOf = (row: Type) => ApiList(row, { kind: 'whole', name: `ListOf${rowName(row)}` });

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
export const TextsProperty = property({ type: 'array', items: { type: 'string' } });
export const IntegersProperty = property({ type: 'array', items: { type: 'integer' } });
export const BooleanProperty = property({ type: 'boolean' });
export const UuidProperty = property({ type: 'string', format: 'uuid' });
export const UriProperty = property({ type: 'string', format: 'uri' });
/** A calendar date, YYYY-MM-DD. */
export const DateProperty = property({ type: 'string', format: 'date' });
/** An ISO 8601 timestamp. */
export const TimeProperty = property({ type: 'string', format: 'date-time' });

/** Fields that the description does not name. */
export const RecordProperty = property({ type: 'object', additionalProperties: true });

/** One of a few values. */
export const ChoiceProperty = (choices: readonly unknown[], options?: PropertyOptions) =>
  property({ enum: choices })(options);

export const ObjectProperty = (of: Type, options?: PropertyOptions) => property({ type: of })(options);

export const ListProperty = (of: Type, options?: PropertyOptions) => property({ type: [of] })(options);
