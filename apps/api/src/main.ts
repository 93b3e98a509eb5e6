import 'reflect-metadata';
import { loadProcessConfig } from '@counterfoil/config';
import { assertDatabaseReady } from '@counterfoil/database';
import { runProcess } from '@counterfoil/lifecycle';
import { startMetricsServer } from '@counterfoil/observability';
import { assertQueueStoreReachable } from '@counterfoil/queue';
import { createApp } from './create-app';

void runProcess(async () => {
  const config = loadProcessConfig();
  await Promise.all([assertDatabaseReady(config), assertQueueStoreReachable(config)]);
  const app = await createApp(config);
  const metrics = await startMetricsServer(config.host, config.metricsPort);
  await app.listen(config.port, config.host);
  return {
    close: async () => {
      metrics.close();
      await app.close();
    },
  };
});
