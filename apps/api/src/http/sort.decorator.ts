import { parseSort, type Sort, type SortOrder } from '@counterfoil/pagination';
import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

type SortKeys = readonly [string, ...string[]];

/** The order that the query asks for, by one of the keys; the first, and the order given, stand for all else. */
export const SortQuery = (keys: SortKeys, order: SortOrder = 'asc') =>
  createParamDecorator((_: unknown, context: ExecutionContext): Sort<string> => {
    const { query } = context.switchToHttp().getRequest<FastifyRequest>();
    return parseSort(query as Record<string, unknown>, keys, order);
  })();

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
