import type { Config } from '@counterfoil/config';
import { assertDatabaseReady } from '@counterfoil/database';
import type { Running } from '@counterfoil/lifecycle';
import { Log, NestLog, startManagementServer } from '@counterfoil/observability';
import { assertQueueStoreReachable } from '@counterfoil/queue';
import { MIGRATIONS } from '@counterfoil/schema';
import { traceUseCases } from '@counterfoil/tracing';
import { NestFactory } from '@nestjs/core';
import { DatabaseMetrics } from './database-metrics';
import { WorkerHealth } from './worker-health';
import { WorkerModule } from './worker.module';
import { WorkerRunner } from './worker-runner';

/** Starts the worker and its management server. */
export async function startWorker(config: Config): Promise<Running> {
  await Promise.all([assertDatabaseReady(config, MIGRATIONS), assertQueueStoreReachable(config)]);
  const options = { bufferLogs: true, abortOnError: false };
  const app = await NestFactory.createApplicationContext(WorkerModule.register(config), options);
  app.useLogger(new NestLog(app.get(Log)));
  traceUseCases(app);
  app.get(DatabaseMetrics).start();
  const health = app.get(WorkerHealth);
  const management = await startManagementServer(config.metricsHost, config.workerMetricsPort, () =>
    health.findFailures(),
  );
  const runner = app.get(WorkerRunner);
  runner.start();
  return {
    close: async () => {
      await runner.stop();
      management.close();
      await app.close();
    },
  };
}
