import { AppError } from '@counterfoil/kernel';
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import findMyWay from 'find-my-way';

/** Tells a wrong method on a known path from an unknown path. */
export class KnownPaths {
  /** Each path once, under one method, with the methods that it answers to. */
  private readonly router = findMyWay({
    ignoreTrailingSlash: false,
    maxParamLength: Number.MAX_SAFE_INTEGER,
  });
  private readonly methodsByPath = new Map<string, Set<string>>();

  /** Notes every route that is registered from now on. */
  watch(server: FastifyInstance): void {
    server.addHook('onRoute', ({ method, url }) => this.note(url, method));
  }

  /** Returns the error for a request without a route: `METHOD_NOT_ALLOWED` or `NOT_FOUND` (contract §3.3). */
  refuse(request: FastifyRequest): { readonly error: AppError; readonly allow: string | null } {
    const [path = '/'] = request.url.split('?');
    const methods = this.router.find('GET', path)?.store as Set<string> | undefined;
    // An empty last segment names nothing with any method: `/documents/id/` is no document.
    if (!methods || methods.has(request.method) || path.endsWith('/'))
      return { error: new AppError('NOT_FOUND', 'there is nothing here'), allow: null };
    const allow = [...methods].sort().join(', ');
    const message = `${request.method} is not allowed here; use ${allow}`;
    return { error: new AppError('METHOD_NOT_ALLOWED', message), allow };
  }

  private note(url: string, method: HTTPMethods | HTTPMethods[]): void {
    // The catch-all for unknown paths is no path of its own.
    if (url.includes('*')) return;
    let methods = this.methodsByPath.get(url);
    if (!methods) {
      methods = new Set();
      this.methodsByPath.set(url, methods);
      this.router.on('GET', url, () => undefined, methods);
    }
    for (const name of [method].flat()) methods.add(name);
  }
}
