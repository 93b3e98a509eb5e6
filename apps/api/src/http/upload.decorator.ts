import { AppError, type Permission } from '@counterfoil/kernel';
import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { Requires } from './requires.decorator';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes multipart/form-data instead of JSON, from who has this permission, and reads it itself. */
    readonly upload?: Permission;
  }
}

/** Lets one route take an upload, from callers with this permission. */
export const TakesUpload = (permission: Permission) =>
  applyDecorators(Requires(permission), RouteConfig({ upload: permission }));

/** @throws AppError `UNSUPPORTED_MEDIA_TYPE` for every body that is no multipart/form-data, and for none */
export function assertMultipart({ headers }: FastifyRequest): void {
  if (/^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '')) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'the body must be multipart/form-data');
}
