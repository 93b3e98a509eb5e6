import { AppError } from '@counterfoil/kernel';
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import findMyWay from 'find-my-way';
import { nearestPath } from './nearest-path';
import { describedPath } from './request-head';

const ALL_ROUTES = 'GET /openapi.json describes all of them';

/** Distinguishes a wrong method on a known path from an unknown path. */
export class AllowedMethods {
  /** Finds the methods of a path. Each path is registered once, as GET, whatever its methods are. */
  private readonly router = findMyWay({
    ignoreTrailingSlash: false,
    maxParamLength: Number.MAX_SAFE_INTEGER,
  });
  private readonly methodsByPath = new Map<string, Set<string>>();

  /** Records every route that is registered from now on. */
  watch(server: FastifyInstance): void {
    server.addHook('onRoute', ({ method, url }) => this.note(url, method));
  }

  /** Returns the error for a request without a route: `METHOD_NOT_ALLOWED` or `NOT_FOUND` (contract §3.3). */
  refuse(request: FastifyRequest): { readonly error: AppError; readonly allow: string | null } {
    const path = pathOf(request);
    const methods = this.methodsOf(path);
    if (!methods || methods.has(request.method))
      return { error: new AppError('NOT_FOUND', this.unknownPath(request.method, path)), allow: null };
    const allow = [...methods].sort().join(', ');
    const message = `${request.method} is not allowed here; use ${allow}`;
    return { error: new AppError('METHOD_NOT_ALLOWED', message), allow };
  }

  /** Returns the methods of the path of a request; none if the path is unknown. */
  of(request: FastifyRequest): string[] {
    return [...(this.methodsOf(pathOf(request)) ?? [])].sort();
  }

  private methodsOf(path: string): ReadonlySet<string> | undefined {
    if (path === '/') return this.methodsByPath.get(path);
    // `*` names the server, and the router would take it for `/`. A path with an empty last segment has no route,
    // whatever the method: `/documents/id/` names no document.
    if (path === '*' || path.endsWith('/')) return undefined;
    return this.router.find('GET', path)?.store as ReadonlySet<string> | undefined;
  }

  /** Suggests a known path, because all paths are public. Does not echo the path that was sent. */
  private unknownPath(method: string, path: string): string {
    const nearest = nearestPath(path, this.methodsByPath.keys());
    if (nearest === null) return `no route has this path; ${ALL_ROUTES}`;
    const methods = this.methodsByPath.get(nearest)!;
    const [first = method] = methods;
    const name = describedPath(nearest);
    return `no route has this path; did you mean ${methods.has(method) ? method : first} ${name}? ${ALL_ROUTES}`;
  }

  private note(url: string, method: HTTPMethods | HTTPMethods[]): void {
    // Skip the catch-all for unknown paths.
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

function pathOf({ url }: FastifyRequest): string {
  const [path = '/'] = url.split('?');
  return path;
}
