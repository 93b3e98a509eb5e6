import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, type IncomingMessage, maxHeaderSize } from 'node:http';
import { isLoopback } from '@counterfoil/config';
import { AppError, holdsCardNumber, parseUrl } from '@counterfoil/kernel';
import type { FastifyRequest } from 'fastify';

/** More headers than any client or chain of proxies sends. Node itself would silently drop those after the 2,000th. */
const HEADERS_MAX = 200;
/**
 * A Host header: a name, an IPv4 address or a bracketed IPv6 address, and an optional port (RFC 3986, 3.2.2). Unlike
 * the RFC it allows no comma, with which a proxy would join two headers.
 */
const HOST = /^(?:[\w.~%!$&'()*+;=-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/**
 * Returns an error for a request head that Node accepts and the API does not: it is not HTTP/1.x, or a proxy in front
 * of the service may parse it differently (RFC 9112, 3.2 and 6.1).
 */
export function headProblem({ httpVersion, headers, rawHeaders }: IncomingMessage): AppError | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return refused('the protocol must be HTTP/1.1');
  if (rawHeaders.length > 2 * HEADERS_MAX)
    return refused(`the request must have at most ${HEADERS_MAX} headers`);
  const hosts = countOf('host', rawHeaders);
  if (hosts > 1) return refused('the Host header must be sent only once');
  if (countOf('authorization', rawHeaders) > 1)
    return refused('the Authorization header must be sent only once');
  if (hosts === 0 && httpVersion === '1.1') return refused('the Host header is required');
  if (hosts === 1 && !HOST.test(headers.host ?? ''))
    return refused('the Host header must be a host name or an address, with an optional port');
  return isFramed(httpVersion, headers['transfer-encoding'])
    ? null
    : refused('Transfer-Encoding must be chunked, and needs HTTP/1.1');
}

/** Whether every HTTP parser finds the end of the body at the same byte. */
function isFramed(httpVersion: string, coding: string | undefined): boolean {
  return coding === undefined || (httpVersion === '1.1' && coding.toLowerCase() === 'chunked');
}

/** Counts the headers of a name in lower case. `headers` contains only the first. */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at];
    if (header?.length === name.length && header.toLowerCase() === name) count += 1;
  }
  return count;
}

function refused(message: string): AppError {
  return new AppError('VALIDATION_FAILED', message);
}

const SANE = /^[\w.:-]{1,128}$/;

export const HEAD_TOO_LARGE = `the request line and the headers must be at most ${maxHeaderSize / 1024} KiB together`;
/** Longer than any id or secret in a path. */
export const PATH_PARAMETER_LENGTH_MAX = 256;

/** The caller's own request id if it is valid and safe to log, otherwise a new one (contract §1.9). */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  const taken = typeof given === 'string' && SANE.test(given) && !holdsCardNumber(given);
  return taken ? given : randomUUID();
}

/**
 * More than ten times what any route takes. A URL has room for thousands, all of which would be decoded before the key
 * is checked.
 */
const PARAMETERS_MAX = 200;

export const TOO_MANY_PARAMETERS = new AppError(
  'VALIDATION_FAILED',
  `the query has more than ${PARAMETERS_MAX} parameters`,
);

export function hasTooManyParameters(url: string): boolean {
  let count = 1;
  for (let at = url.indexOf('&'); at !== -1; at = url.indexOf('&', at + 1)) {
    count += 1;
    if (count > PARAMETERS_MAX) return true;
  }
  return false;
}

/** Returns the URL, without its query if that has too many parameters. */
export function readableUrl(url: string): string {
  return hasTooManyParameters(url) ? (url.split('?', 1)[0] ?? '/') : url;
}

/** Headers that proxies and tunnels add. */
const FORWARDED = /^(forwarded|via|x-real-ip|true-client-ip|x-forwarded-.*|cf-.*)$/;

/**
 * Checks that a request was made on this machine. A tunnel or a proxy that forwards to loopback makes the service
 * reachable from elsewhere. The Host header or a forwarding header reveals it, or HTTP/1.0: before version 1.29.7, nginx
 * speaks it to the service unless it is configured otherwise, and clients do not.
 *
 * @throws AppError `UNAUTHENTICATED`
 */
export function assertLocal(request: FastifyRequest): void {
  if (isLocal(request)) return;
  throw new AppError(
    'UNAUTHENTICATED',
    'the published demo key works only on the machine that runs the service, over HTTP/1.1; use a key of your own',
  );
}

/** Whether nothing shows that the request comes from another machine, through a proxy on this one or by DNS rebinding. */
export function isLocal({ headers, url, raw }: FastifyRequest): boolean {
  const isRelative = url.startsWith('/');
  const isForwarded = Object.keys(headers).some((name) => FORWARDED.test(name));
  return isRelative && !isForwarded && raw.httpVersion !== '1.0' && isLocalName(headers.host ?? '');
}

/** A name without a dot is not on the internet, so a request to it cannot be a DNS rebinding attack of a web page. */
function isLocalName(host: string): boolean {
  const hostname = parseUrl(`http://${host}`)?.hostname ?? '';
  return isLoopback(hostname) || /^[^.:[\]]+$/.test(hostname);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The path opens the route without a key, so it must not appear in a log. */
    readonly opensByPath?: boolean;
  }
}

/** Longer paths lead nowhere. To search one for card numbers takes as long as many requests. */
const SEARCHED_PATH_MAX = 300;
/** Matches the secrets in our paths. All ids in paths are shorter. */
const LONG_SEGMENT = /[\w-]{40,}/g;

/** The path of a route as the description writes it: `/documents/{id}`. */
export const describedPath = (route: string): string => route.replace(/:(\w+)/g, '{$1}');

/**
 * Returns the path of a request without anything that must not be logged: the query, which may contain search terms,
 * secrets that replace a key, and card numbers. A long path is not searched, and is left out like one with a card
 * number. A path without a route may be a misspelt one with a secret, so its long segments are removed.
 */
export function loggedPath({ url, routeOptions }: FastifyRequest): string {
  const path = url.split('?')[0] ?? url;
  const { url: route, config } = routeOptions;
  const holds = path.length > SEARCHED_PATH_MAX || holdsCardIn(path);
  if (route === undefined) return holds ? '…' : path.replace(LONG_SEGMENT, '…');
  return config.opensByPath || holds ? route : path;
}

const holdsCardIn = (path: string): boolean =>
  holdsCardNumber(path) || (path.includes('%') && decodings(path).some(holdsCardNumber));

/** Returns the values in the path of a request by name, without anything that must not be logged; null if none is left. */
export function loggedIds(request: FastifyRequest): Readonly<Record<string, string>> | null {
  const ids = request.params as Readonly<Record<string, string>>;
  if (Object.keys(ids).length === 0) return null;
  const { url, config } = request.routeOptions;
  return config.opensByPath || loggedPath(request) === url ? null : ids;
}

/**
 * The path decoded once and decoded twice, because some clients encode twice. In an encoded path, the digits of `%20`
 * would hide a card number that has blanks.
 */
function decodings(path: string): readonly string[] {
  const decoded = decode(path);
  return [decoded, decode(decoded)];
}

/** Unlike `decodeURIComponent`, it also decodes malformed text. */
function decode(path: string): string {
  return path.replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
}
