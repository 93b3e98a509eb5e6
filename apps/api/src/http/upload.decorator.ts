import { AppError } from '@counterfoil/kernel';
import type { FastifyRequest } from 'fastify';
import { routeConfig } from './route-config.decorator';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes multipart/form-data instead of JSON, and reads it itself. */
    readonly upload?: boolean;
  }
}

/** Lets one route take an upload. */
export const TakesUpload = () => routeConfig({ upload: true, boundsItself: true });

/** @throws AppError `UNSUPPORTED_MEDIA_TYPE` for every body that is no multipart/form-data, and for none */
export function assertMultipart({ headers }: FastifyRequest): void {
  if (/^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '')) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'the body must be multipart/form-data');
}
