import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { collectDefaultMetrics, register } from 'prom-client';
import { DATA_HEADERS } from './data-headers';

let collecting: Promise<string> | undefined;

/** Collects the metrics once for all requests that wait for them. */
function sharedMetrics(): Promise<string> {
  collecting ??= register.metrics().finally(() => (collecting = undefined));
  return collecting;
}

/**
 * Serves `GET /metrics` in the Prometheus text format (contract §17.5). It has a port of its own, so that
 * customers who reach the API cannot reach the metrics.
 *
 * @throws the system error when the port is not available
 */
export async function startMetricsServer(host: string, port: number): Promise<Server> {
  collectDefaultMetrics();
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, DATA_HEADERS).end();
      return;
    }
    sharedMetrics().then(
      (text) => response.writeHead(200, { ...DATA_HEADERS, 'content-type': register.contentType }).end(text),
      () => response.writeHead(500, DATA_HEADERS).end(),
    );
  });
  // Collecting them blocks the event loop, so a connection with many requests in a row must not delay the service.
  server.maxRequestsPerSocket = 1;
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
