import { createHash } from 'node:crypto';
import { DATA_HEADERS } from '@counterfoil/observability';
import type { FastifyInstance } from 'fastify';
import type { Markup } from '@counterfoil/kernel';

export type Headers = Readonly<Record<string, string>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Headers of this route, which replace the default ones of the same names. */
    readonly headers?: Headers;
  }
}

const YEAR_S = 365 * 24 * 60 * 60;
const POLICY = 'content-security-policy';

/** The headers of every answer, errors included, unless its route sets others. */
export function securityHeaders(publicUrl: string): Headers {
  if (!publicUrl.startsWith('https:')) return DATA_HEADERS;
  return { ...DATA_HEADERS, 'strict-transport-security': `max-age=${YEAR_S}` };
}

/** Sets the headers. Call this before adding hooks that may answer. */
export function addSecurityHeaders(server: FastifyInstance, headers: Headers): void {
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers);
    const own = request.routeOptions.config.headers;
    if (own) void reply.headers(own);
    done();
  });
}

/**
 * For the reference at /docs. Its scripts come from files, and it calls only this API. Scalar adds style elements and
 * style attributes while it runs, so their hashes cannot be listed.
 */
export const REFERENCE_HEADERS: Headers = {
  [POLICY]: [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

/** For the console. Everything that it runs comes from files of this service, and it calls only this API. */
export const CONSOLE_HEADERS: Headers = {
  [POLICY]: [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
};

interface PageParts {
  readonly style: Markup;
  /** The script of the page, which may call the API. */
  readonly script?: Markup;
  /** Where images of the page may come from: `data:` for those that are written into their own addresses. */
  readonly images?: readonly ('data:' | "'self'")[];
}

/** The headers of a page: only the style and the script written here take effect. */
export function pageHeaders({ style, script, images = [] }: PageParts): Headers {
  return {
    'content-type': 'text/html; charset=utf-8',
    [POLICY]: [
      "default-src 'none'",
      ...(script ? [`script-src ${hashOf(script)}`] : []),
      `style-src ${hashOf(style)}`,
      ...(images.length > 0 ? [`img-src ${images.join(' ')}`] : []),
      ...(script ? ["connect-src 'self'"] : []),
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}

/** The headers of a page of a document, which is rendered with a policy of its own. */
export function documentPageHeaders(policy: string): Headers {
  return {
    'content-type': 'text/html; charset=utf-8',
    [POLICY]: `${policy}; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}

const hashOf = ({ text }: Markup) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
