import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isLoopback } from '@counterfoil/config';
import { AppError, holdsCardNumber } from '@counterfoil/kernel';
import type { FastifyRequest } from 'fastify';

/** More headers than any client or chain of proxies sends. Node would drop what comes after the 2,000th. */
const HEADERS_MAX = 200;
/** A name, an IPv4 address, or an IPv6 address in brackets, and a port (RFC 3986, 3.2.2; no comma, which would join two). */
const HOST = /^(?:[\w.~%!$&'()*+;=-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/**
 * The reason to refuse a head that Node accepts: it is no request of HTTP/1.x, or a proxy in front of the service may
 * parse it differently (RFC 9112, 3.2 and 6.1).
 */
export function headProblem({ httpVersion, headers, rawHeaders }: IncomingMessage): AppError | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return refused('the protocol must be HTTP/1.1');
  if (rawHeaders.length > 2 * HEADERS_MAX) return refused(`there are more than ${HEADERS_MAX} headers`);
  const hosts = hostsIn(rawHeaders);
  if (hosts > 1) return refused('the Host header is there more than once');
  if (hosts === 0 && httpVersion === '1.1') return refused('the Host header is missing');
  if (hosts === 1 && !HOST.test(headers.host ?? '')) return refused('the Host header is not a valid host');
  return isFramed(httpVersion, headers['transfer-encoding'])
    ? null
    : refused('of Transfer-Encoding only chunked is taken, in HTTP/1.1');
}

/** Whether nobody can read the end of the body at another place than we do. */
function isFramed(httpVersion: string, coding: string | undefined): boolean {
  return coding === undefined || (httpVersion === '1.1' && coding.toLowerCase() === 'chunked');
}

/** Node keeps the first of them alone. */
function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

function refused(message: string): AppError {
  return new AppError('VALIDATION_FAILED', message);
}

const SANE = /^[\w.:-]{1,128}$/;

/** The caller's own request id if it is valid and safe to log, otherwise a new one (contract §1.9). */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  const taken = typeof given === 'string' && SANE.test(given) && !holdsCardNumber(given);
  return taken ? given : randomUUID();
}

/** No list takes a tenth of it. An address has room for thousands, all of which would be decoded before any key is asked for. */
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

/** The address without the query if the query is refused. */
export function readableUrl(url: string): string {
  return hasTooManyParameters(url) ? (url.split('?', 1)[0] ?? '/') : url;
}

/** Headers by which a proxy or a tunnel shows. */
const FORWARDED = /^(forwarded|via|x-real-ip|true-client-ip|x-forwarded-.*|cf-.*)$/;

/**
 * Checks that a request was made on this machine. A tunnel or a proxy that forwards to loopback makes it reachable from
 * elsewhere; it shows in the name that the caller asked for, or in a header.
 *
 * @throws AppError `UNAUTHENTICATED`
 */
export function assertLocal({ headers, url }: FastifyRequest): void {
  const isRelative = url.startsWith('/');
  const isForwarded = Object.keys(headers).some((name) => FORWARDED.test(name));
  if (isRelative && !isForwarded && isLocalName(headers.host ?? '')) return;
  throw new AppError('UNAUTHENTICATED', 'the published demo key works on the machine of the service alone');
}

/** A name without a dot leads nowhere on the internet, so that no page of a stranger can have come from it. */
function isLocalName(host: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return isLoopback(hostname) || /^[^.:[\]]+$/.test(hostname);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The path opens the route without a key, so it must not appear in a log. */
    readonly opensByPath?: boolean;
  }
}

/** As long as the secrets in our paths, and longer than any id in them. */
const LONG_SEGMENT = /[\w-]{40,}/g;

/**
 * The path of a request as it may be written down: without the query, which may carry what somebody searched for, and
 * without what opens something. Where no route took it, it may be such a path all the same, misspelt.
 */
export function loggedPath({ url, routeOptions }: FastifyRequest): string {
  const path = url.split('?')[0] ?? url;
  const { url: route, config } = routeOptions;
  const holds = [...readings(path)].some(holdsCardNumber);
  if (route === undefined) return holds ? '…' : path.replace(LONG_SEGMENT, '…');
  return config.opensByPath || holds ? route : path;
}

/** As it is, and without its encoding, in which the blanks of a number are digits: some clients encode twice. */
function readings(path: string): Set<string> {
  const decoded = decode(path);
  return new Set([path, decoded, decode(decoded)]);
}

/** Unlike `decodeURIComponent`, it also decodes malformed text. */
function decode(path: string): string {
  return path.replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
}
