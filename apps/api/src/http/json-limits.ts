import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PUBLIC } from './requires.decorator';

/** Limits of a JSON body. */
export interface JsonLimits {
  /** More is refused while it arrives. */
  readonly bytesMax: number;
  /** Entries of lists and fields of objects, wherever they are. */
  readonly valuesMax: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of one route, in place of `JSON_LIMITS`. */
    readonly json?: JsonLimits;
  }
}

/**
 * For every route that says nothing else (decisions §2): more than any body of ours holds, and few enough that checking
 * the values one by one keeps nobody waiting.
 */
export const JSON_LIMITS: JsonLimits = { bytesMax: 1024 * 1024, valuesMax: 10_000 };
/** For a route that needs no key: what strangers may have us read. */
export const PUBLIC_LIMITS: JsonLimits = { bytesMax: 16 * 1024, valuesMax: 100 };

/** Has the framework know each route's limit, which it tells of a body that is larger. */
export function limitRoutes(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    if (route.config?.access === PUBLIC && !route.config.json)
      route.config = { ...route.config, json: PUBLIC_LIMITS };
    if (route.config?.json) route.bodyLimit = route.config.json.bytesMax;
  });
}

export function jsonLimitsOf({ routeOptions }: FastifyRequest): JsonLimits {
  return routeOptions.config.json ?? JSON_LIMITS;
}
