import { parseSort, type Sort } from '@counterfoil/pagination';
import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

type SortKeys = readonly [string, ...string[]];

/** The order that the query asks for, by one of the keys given; the first stands for any other. Rubbish never fails. */
export const SortQuery = createParamDecorator((keys: SortKeys, context: ExecutionContext): Sort<string> => {
  const { query } = context.switchToHttp().getRequest<FastifyRequest>();
  return parseSort(query as Record<string, unknown>, keys);
});

/** Documents the parameters that `SortQuery` reads. */
export const ApiSorted = (keys: SortKeys) =>
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
      schema: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
      description: 'Anything else counts as asc. Equal rows follow each other by id, in the same direction.',
    }),
  );
