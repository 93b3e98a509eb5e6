import { ANY_ORIGIN } from '@counterfoil/config';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The headers of requests and answers that browsers hide from scripts unless they are named. */
const ALLOWED_HEADERS = [
  'authorization',
  'content-type',
  'idempotency-key',
  'last-event-id',
  'prefer',
  'traceparent',
  'tracestate',
  'x-request-id',
];
const EXPOSED_HEADERS = [
  ...['x-request-id', 'retry-after', 'ratelimit', 'ratelimit-policy', 'idempotent-replay', 'ignored-fields'],
  ...['preference-applied', 'content-disposition', 'allow', 'www-authenticate'],
];
/** How long a browser may keep the answer to a preflight request. Browsers lower it. */
const MAX_AGE_S = 3_600;

/**
 * Lets scripts of other origins read answers (https://fetch.spec.whatwg.org/#http-cors-protocol). A browser never sends
 * a key by itself, so even `*` lets no script use the key of another one.
 */
export class Cors {
  constructor(private readonly origins: readonly string[]) {}

  /** Sets the headers by which a browser shows an answer to the script that asked. */
  allow({ headers: { origin } }: FastifyRequest, reply: FastifyReply): void {
    if (this.origins.length === 0) return;
    const isAny = this.origins.includes(ANY_ORIGIN);
    if (!isAny) void reply.header('vary', 'origin');
    if (!this.isAllowed(origin)) return;
    void reply.headers({
      'access-control-allow-origin': isAny ? ANY_ORIGIN : origin,
      'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
    });
  }

  /**
   * Answers the request by which a browser asks whether a script may make another one. It has no key.
   *
   * @param methods of the path
   * @returns whether it was one, of an allowed origin
   */
  answerPreflight(
    { method, headers }: FastifyRequest,
    reply: FastifyReply,
    methods: readonly string[],
  ): boolean {
    const isAsked = headers['access-control-request-method'] !== undefined;
    if (method !== 'OPTIONS' || !isAsked || !this.isAllowed(headers.origin)) return false;
    void reply
      .code(204)
      .headers({
        'access-control-allow-methods': methods.join(', '),
        'access-control-allow-headers': ALLOWED_HEADERS.join(', '),
        'access-control-max-age': String(MAX_AGE_S),
      })
      .send();
    return true;
  }

  private isAllowed(origin: string | undefined): boolean {
    if (origin === undefined) return false;
    return this.origins.includes(ANY_ORIGIN) || this.origins.includes(origin);
  }
}
