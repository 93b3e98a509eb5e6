import { isLoopback } from '@counterfoil/config';
import { AppError } from '@counterfoil/kernel';
import type { FastifyRequest } from 'fastify';

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
