import { parseUrl } from '@counterfoil/kernel';
import { isIP } from 'node:net';
import type { ListeningConfig } from './config';
import type { EnvironmentReader } from './environment-reader';

/** Reads the addresses on which processes listen, and the URL of the API (contract §17.2). */
export function readListening(read: EnvironmentReader): ListeningConfig {
  const host = read.text('HOST', '127.0.0.1');
  const port = read.port('PORT', 3000);
  const publicUrl = read.bareUrl('PUBLIC_URL', ['http:', 'https:']) ?? `http://${reachable(host)}:${port}`;
  return {
    host,
    port,
    publicUrl,
    loopbackOnly: isLoopback(host) && isLoopback(parseUrl(publicUrl)?.hostname ?? ''),
    metricsHost: read.text('METRICS_HOST', '127.0.0.1'),
    metricsPort: read.port('METRICS_PORT', 9464),
    workerMetricsPort: read.port('WORKER_METRICS_PORT', 9465),
  };
}

/**
 * Whether only this machine can reach the host. Of names, only `localhost` counts, because the resolver
 * decides where any other name leads.
 *
 * @param host a name or an address, as in `HOST` or in a URL
 */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (bare === 'localhost') return true;
  return isIP(bare) === 4 ? bare.startsWith('127.') : bare === '::1';
}

function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return isIP(host) === 6 ? `[${host}]` : host;
}
