import { type PageRequest, parsePageRequest } from '@counterfoil/pagination';
import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

/** The window that the query asks for (spec: Pagination contract). Rubbish in it never fails. */
export const PageQuery = createParamDecorator((_: unknown, context: ExecutionContext): PageRequest => {
  return parsePageRequest(
    context.switchToHttp().getRequest<FastifyRequest>().query as Record<string, unknown>,
  );
});

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
