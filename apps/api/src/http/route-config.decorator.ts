import { PATH_METADATA } from '@nestjs/common/constants';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import type { FastifyContextConfig } from 'fastify';

type Handler = (...values: never[]) => unknown;

/**
 * Adds to Fastify's configuration of a route, or of every route of a controller. Unlike the framework's own decorator
 * it keeps the other settings of the route; a setting of the route wins over the controller's.
 */
export function routeConfig(config: FastifyContextConfig): ClassDecorator & MethodDecorator {
  return (target: object, _name?: string | symbol, method?: PropertyDescriptor) => {
    const handlers = method ? [method.value as Handler] : handlersOf(target as { prototype: object });
    for (const handler of handlers) {
      const known = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as
        FastifyContextConfig | undefined;
      Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, { ...config, ...known }, handler);
    }
  };
}

/** The methods of a controller that take requests. */
function handlersOf({ prototype }: { readonly prototype: object }): Handler[] {
  return Object.getOwnPropertyNames(prototype)
    .map((name) => Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown)
    .filter((value): value is Handler => typeof value === 'function')
    .filter((handler) => Reflect.hasMetadata(PATH_METADATA, handler));
}
