import { AppError } from '@counterfoil/kernel';
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import findMyWay from 'find-my-way';
import { nearestPath } from './nearest-path';

const ALL_ROUTES = 'GET /openapi.json describes all of them';

/** Tells a wrong method on a known path from an unknown path. */
export class AllowedMethods {
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
      return { error: new AppError('NOT_FOUND', this.unknownPath(request.method, path)), allow: null };
    const allow = [...methods].sort().join(', ');
    const message = `${request.method} is not allowed here; use ${allow}`;
    return { error: new AppError('METHOD_NOT_ALLOWED', message), allow };
  }

  /** The paths are public, so a stranger may be told of them. The path of the caller is not repeated. */
  private unknownPath(method: string, path: string): string {
    const nearest = nearestPath(path, this.methodsByPath.keys());
    if (nearest === null) return `no route has this path; ${ALL_ROUTES}`;
    const methods = this.methodsByPath.get(nearest)!;
    const [first = method] = methods;
    const name = nearest.replace(/:(\w+)/g, '{$1}');
    return `no route has this path; did you mean ${methods.has(method) ? method : first} ${name}? ${ALL_ROUTES}`;
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
