import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { collectDefaultMetrics, register } from 'prom-client';

/**
 * Serves `GET /metrics` in Prometheus' text format on a port of its own (decisions §11), so that a customer who
 * reaches the API does not reach it.
 *
 * @throws the system's error when the port cannot be had
 */
export async function startMetricsServer(host: string, port: number): Promise<Server> {
  collectDefaultMetrics();
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    register.metrics().then(
      (text) => response.writeHead(200, { 'content-type': register.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
