import { holdsCardNumber } from '@counterfoil/kernel';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whoever knows the path needs no key: nobody is to read it in a log. */
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

/** Unlike `decodeURIComponent`, also what is malformed. */
function decode(path: string): string {
  return path.replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
}
