import type { FileLink } from '@counterfoil/files';
import type { RefusedKey } from '@counterfoil/identity';
import { AppError, type Caller, type Permission } from '@counterfoil/kernel';
import type { Span } from '@counterfoil/tracing';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';

/** The method of a controller that handles the requests of a route. */
export interface Handler {
  readonly prototype: object;
  readonly method: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Not there for a route of the framework. */
    readonly handler?: Handler;
  }
}

/**
 * Adds to Fastify's configuration of a route, or of every route of a controller. Unlike the framework's own decorator
 * it keeps the other settings of the route; a setting of the route wins over the controller's.
 */
export function routeConfig(config: FastifyContextConfig): ClassDecorator & MethodDecorator {
  return (target: object, name?: string | symbol) => {
    const prototype = name === undefined ? (target as { readonly prototype: object }).prototype : target;
    const methods = name === undefined ? handlersOf(prototype) : [String(name)];
    for (const method of methods) {
      const handle = functionAt(prototype, method) as object;
      const known = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handle) as
        FastifyContextConfig | undefined;
      const handler = { prototype, method };
      Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, { ...config, handler, ...known }, handle);
    }
  };
}

/** The methods of a controller that handle requests. */
function handlersOf(prototype: object): string[] {
  return Object.getOwnPropertyNames(prototype).filter((name) => {
    const handle = functionAt(prototype, name);
    return typeof handle === 'function' && Reflect.hasMetadata(PATH_METADATA, handle);
  });
}

const functionAt = (prototype: object, name: string): unknown =>
  Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;

export const PUBLIC = 'public';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The permission that the route needs. A route without one refuses every caller. */
    readonly access?: Permission | typeof PUBLIC;
  }
}

/** Sets the permission that a route, or every route of a controller, requires of the caller's role (contract §4.3). */
export const Requires = (permission: Permission) => routeConfig({ access: permission });

/** The route needs no key. */
export const Public = () => routeConfig({ access: PUBLIC });

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes multipart/form-data instead of JSON, and reads it itself. */
    readonly upload?: boolean;
  }
}

/** Lets one route take an upload. */
export const TakesUpload = () => routeConfig({ upload: true, boundsItself: true });

/** @throws AppError `UNSUPPORTED_MEDIA_TYPE` unless the Content-Type is multipart/form-data */
export function assertMultipart({ headers }: FastifyRequest): void {
  if (/^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '')) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'the body must be multipart/form-data');
}

/** The caller that the key belongs to. */
export const CallerOf = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (!caller) throw new Error('a public route has no caller');
  return caller;
});

/** Aborted when the caller closes the connection before the answer is written. */
export const CallerGone = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const { raw } = context.switchToHttp().getResponse<FastifyReply>();
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  if (raw.destroyed) gone.abort();
  return gone.signal;
});

/** A request whose key has been looked up, unless its route is public or a link opened it. */
export interface AuthenticatedRequest extends FastifyRequest {
  caller?: Caller;
  /** Why the key was refused, for the log. */
  refusedKey?: RefusedKey;
  /** Not there if tracing is off, and for probes. */
  span?: Span;
  fileLink?: FileLink;
}
