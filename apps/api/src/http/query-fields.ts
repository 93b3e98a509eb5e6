import { parseTimestamp } from '@counterfoil/kernel';
import {
  type FilterField,
  type FilterFields,
  type FilterOf,
  type PageRequest,
  parsePageRequest,
  parseSort,
  type Sort,
  type SortOrder,
} from '@counterfoil/pagination';
import { applyDecorators, createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { ApiProperty, ApiQuery } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import type { FastifyRequest } from 'fastify';
import { field, type FieldOptions } from './field';
import {
  BooleanField,
  ChoiceField,
  CurrencyField,
  isLongerThan,
  PlainDateField,
  TextField,
  TimestampField,
} from './fields';
import { ReadsQuery } from './known-fields';
import { ID_DIGITS, idIn } from './path-id';

/** In characters. */
const SEARCH_MAX = 200;

/** The text to search a list for. A blank text does not filter. */
export function SearchField(options: Omit<FieldOptions, 'presence'>) {
  return field({ presence: 'edit', ...options }, { type: 'string', maxLength: SEARCH_MAX }, (value) => {
    if (typeof value !== 'string') return 'must be text';
    return isLongerThan(value, SEARCH_MAX) ? `must be at most ${SEARCH_MAX} characters` : null;
  });
}

/** A numeric id in a query, parsed to a number. */
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

/** A timestamp in a query, parsed to a date. */
export function TimeQueryField(options: Omit<FieldOptions, 'presence'>) {
  return applyDecorators(
    TimestampField({ presence: 'edit', ...options }, (value) => value instanceof Date),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (parseTimestamp(value) ?? value) : value,
    ),
  );
}

/**
 * A query parameter that the route parses itself, with an error code of its own, also if a required parameter is
 * missing.
 */
export function RawQueryField({
  isRequired = false,
  ...options
}: Omit<FieldOptions, 'presence'> & { readonly isRequired?: boolean }) {
  return applyDecorators(
    field({ presence: 'edit', ...options }, { type: 'string' }, () => null),
    ApiProperty({ required: isRequired }),
  );
}

/** A query parameter that is exactly `true` or `false` (contract §1.6), parsed to a boolean. */
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

/** Creates a class of checked and documented query parameters from the filters that a list declares. */
export function ListFilters<Fields extends FilterFields>(fields: Fields): Type<FilterOf<Fields>> {
  class Query {}
  for (const [name, field] of Object.entries(fields)) decoratorOf(field)(Query.prototype, name);
  return Query;
}

function decoratorOf(field: FilterField): PropertyDecorator {
  const { description } = field;
  const options = { presence: 'edit', ...(description === undefined ? {} : { description }) } as const;
  switch (field.kind) {
    case 'search':
      return SearchField(options);
    case 'text':
      return TextField({ ...options, max: field.max });
    case 'id':
      return IdQueryField(options);
    case 'day':
      return PlainDateField(options);
    case 'time':
      return TimeQueryField(options);
    case 'flag':
      return BooleanQueryField(options);
    case 'currency':
      return CurrencyField(options);
    case 'choice':
      return ChoiceField({ ...options, choices: field.choices });
  }
}

type SortKeys = readonly [string, ...string[]];

/** The requested order, by one of the keys. The default is the first key and the given order. */
export const SortQuery = (keys: SortKeys, order: SortOrder = 'asc') =>
  reading(['sortBy', 'sortOrder'], (query) => parseSort(query, keys, order));

/** Documents the parameters that `SortQuery` reads. */
export const ApiSorted = (keys: SortKeys, order: SortOrder = 'asc') =>
  applyDecorators(
    ApiQuery({
      name: 'sortBy',
      required: false,
      schema: { type: 'string', enum: [...keys], default: keys[0] },
      description: `Anything else counts as ${keys[0]}.`,
    }),
    ApiQuery({
      name: 'sortOrder',
      required: false,
      schema: { type: 'string', enum: ['asc', 'desc'], default: order },
      description: `Anything else counts as ${order}. Equal rows follow each other by id, in the same direction.`,
    }),
  );

/** The page that the query asks for (contract §2.1). Invalid parameters are ignored. */
export const PageQuery = () => reading(['limit', 'pageSize', 'offset', 'page'], parsePageRequest);

/** A parameter of a handler that is parsed from these parameters of the query. */
function reading(
  names: readonly string[],
  parse: (query: Record<string, unknown>) => PageRequest | Sort<string>,
): ParameterDecorator {
  const parsed = createParamDecorator((_: unknown, context: ExecutionContext) =>
    parse(context.switchToHttp().getRequest<FastifyRequest>().query as Record<string, unknown>),
  );
  return (prototype, method, index) => {
    ReadsQuery(...names)(prototype, method, index);
    parsed()(prototype, method, index);
  };
}

/** Documents the parameters that `PageQuery` reads. */
export const ApiPaginated = () =>
  applyDecorators(
    ApiQuery({
      name: 'limit',
      required: false,
      schema: { type: 'integer', default: 50, minimum: 1, maximum: 200 },
    }),
    ApiQuery({
      name: 'pageSize',
      required: false,
      schema: { type: 'integer' },
      description: 'Alias of limit; wins over it.',
    }),
    ApiQuery({
      name: 'offset',
      required: false,
      schema: { type: 'integer', default: 0 },
      description: 'Wins over page.',
    }),
    ApiQuery({
      name: 'page',
      required: false,
      schema: { type: 'integer', default: 1 },
      description: '1-based.',
    }),
  );
