import { applyDecorators } from '@nestjs/common';
import { ApiPayloadTooLargeResponse } from '@nestjs/swagger';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ErrorBody } from './error-body';
import { PUBLIC, routeConfig } from './route.decorators';

/** Limits of a JSON body. */
export interface JsonLimits {
  /** A larger body is refused while it arrives. */
  readonly bytesMax: number;
  /** Entries of lists and fields of objects, wherever they are. */
  readonly valuesMax: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limits of this route, in place of `JSON_LIMITS`. */
    readonly json?: JsonLimits;
  }
}

/**
 * The limits of a route by default (contract §3.5). They are more than an ordinary body needs, and so few values can be
 * checked one by one without delaying other requests.
 */
export const JSON_LIMITS: JsonLimits = { bytesMax: 1024 * 1024, valuesMax: 10_000 };
/** The limits of a public route, by default. Callers without a key get less memory. */
export const PUBLIC_LIMITS: JsonLimits = { bytesMax: 16 * 1024, valuesMax: 100 };

/** Sets the limits of public routes, and the framework's own limit, with which it compares Content-Length. */
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

/** Lets one route take a larger JSON body than the others, and documents its limit. */
export const TakesJson = (limits: JsonLimits) =>
  applyDecorators(
    routeConfig({ json: limits }),
    ApiPayloadTooLargeResponse({ type: ErrorBody, description: tooLarge(limits.bytesMax) }),
  );

/** The message for a body that exceeds the limit of its route. */
export function tooLarge(bodyBytesMax: number): string {
  const kib = bodyBytesMax / 1024;
  return `the body is larger than ${kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`}`;
}
