import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { shareRun } from '@counterfoil/kernel';
import { register } from 'prom-client';
import { DATA_HEADERS } from './data-headers';

/** Returns the parts of the process that do not work at present; none if it is ready. */
export type FindFailures = () => readonly string[];

/** Collects the metrics once for all requests that wait for them. */
const sharedMetrics = shareRun(() => register.metrics());

function sendMetrics(response: ServerResponse): void {
  sharedMetrics().then(
    (text) => response.writeHead(200, { ...DATA_HEADERS, 'content-type': register.contentType }).end(text),
    () => response.writeHead(500, DATA_HEADERS).end(),
  );
}

function sendHealth(response: ServerResponse, failures: readonly string[]): void {
  const [status, body] =
    failures.length === 0
      ? ([200, { status: 'ok' }] as const)
      : ([503, { status: 'unavailable', failures }] as const);
  const headers = { ...DATA_HEADERS, 'content-type': 'application/json; charset=utf-8' };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

/**
 * Serves `GET /metrics` in the Prometheus text format, and the probes of a process that has no other port:
 * `GET /health/live` and `GET /health/ready` (contract §17.5). It has a port of its own, so that customers who
 * reach the API cannot reach it.
 *
 * @param findFailures makes the server answer the probes. The readiness probe answers 503 with the failures
 * @throws the system error when the port is not available
 */
export async function startManagementServer(
  host: string,
  port: number,
  findFailures?: FindFailures,
): Promise<Server> {
  const server = createServer(({ method, url }, response) => {
    if (method === 'GET' && url === '/metrics') return sendMetrics(response);
    if (method === 'GET' && findFailures) {
      if (url === '/health/live') return sendHealth(response, []);
      if (url === '/health/ready') return sendHealth(response, findFailures());
    }
    response.writeHead(404, DATA_HEADERS).end();
  });
  // Collecting them blocks the event loop, so a connection with many requests in a row must not delay the service.
  server.maxRequestsPerSocket = 1;
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
