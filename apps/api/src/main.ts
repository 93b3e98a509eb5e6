import 'reflect-metadata';
import { loadProcessConfig } from '@counterfoil/config';
import { assertDatabaseReady } from '@counterfoil/database';
import { runProcess } from '@counterfoil/lifecycle';
import { startMetricsServer } from '@counterfoil/observability';
import { assertQueueStoreReachable } from '@counterfoil/queue';
import { MIGRATIONS } from '@counterfoil/schema';
import { createApp } from './create-app';
import { Drain } from './http/drain';

/**
 * Connections that wait to be accepted, where the system allows as many (`net.core.somaxconn`). One that comes beyond them
 * is tried again by its client a second later: a stranger who opens 1,500 at once would have everybody wait for that.
 */
const BACKLOG = 4_096;

void runProcess(async () => {
  const config = loadProcessConfig();
  await Promise.all([assertDatabaseReady(config, MIGRATIONS), assertQueueStoreReachable(config)]);
  const app = await createApp(config);
  const metrics = await startMetricsServer(config.metricsHost, config.metricsPort);
  await app.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  return {
    close: async () => {
      await app.get(Drain).run(app.getHttpServer(), config.drainDelayMs);
      metrics.close();
      await app.close();
    },
  };
});
