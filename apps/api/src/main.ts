import 'reflect-metadata';
import { loadProcessConfig } from '@counterfoil/config';
import { assertDatabaseReady } from '@counterfoil/database';
import { releaseVersion, runProcess } from '@counterfoil/lifecycle';
import { collectProcessMetrics, startManagementServer } from '@counterfoil/observability';
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

void runProcess(async () => {
  const config = loadProcessConfig();
  await Promise.all([assertDatabaseReady(config, MIGRATIONS), assertQueueStoreReachable(config)]);
  const app = await createApp(config);
  collectProcessMetrics(releaseVersion(), config.dataDir);
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
});
