import type { IncomingMessage } from 'node:http';
import { AppError } from '@counterfoil/kernel';

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
