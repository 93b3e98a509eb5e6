import type { Config } from '@counterfoil/config';
import { assertDatabaseReady } from '@counterfoil/database';
import type { Running } from '@counterfoil/lifecycle';
import { startManagementServer } from '@counterfoil/observability';
import { assertQueueStoreReachable } from '@counterfoil/queue';
import { MIGRATIONS } from '@counterfoil/schema';
import { EventStreams } from '@counterfoil/webhooks';
import { createApp } from './create-app';
import { Drain } from './http/drain';

/**
 * The backlog of connections that wait to be accepted, if the system allows as many (`net.core.somaxconn`). With a full
 * backlog, clients retry only after a second, so someone who opens 1,500 connections at once could delay all others.
 */
const BACKLOG = 4_096;

/** Starts the API and its management server. Resolves when it accepts calls. */
export async function startApi(config: Config): Promise<Running> {
  await Promise.all([assertDatabaseReady(config, MIGRATIONS), assertQueueStoreReachable(config)]);
  const app = await createApp(config);
  const metrics = await startManagementServer(config.metricsHost, config.metricsPort);
  await app.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  return {
    close: async () => {
      // Clients of streams reconnect to another process. A drain would wait for them to the end.
      app.get(EventStreams).stop();
      await app.get(Drain).run(app.getHttpServer(), config.drainDelayMs);
      metrics.close();
      await app.close();
    },
  };
}
