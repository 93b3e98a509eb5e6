import 'reflect-metadata';
import { loadProcessConfig } from '@counterfoil/config';
import { assertDatabaseReady } from '@counterfoil/database';
import { runProcess } from '@counterfoil/lifecycle';
import { Log, NestLog, startMetricsServer } from '@counterfoil/observability';
import { assertQueueStoreReachable } from '@counterfoil/queue';
import { MIGRATIONS } from '@counterfoil/schema';
import { NestFactory } from '@nestjs/core';
import { StorageMetric } from './storage-metric';
import { WorkerModule } from './worker.module';
import { WorkerRunner } from './worker-runner';

void runProcess(async () => {
  const config = loadProcessConfig();
  await Promise.all([assertDatabaseReady(config, MIGRATIONS), assertQueueStoreReachable(config)]);
  const options = { bufferLogs: true, abortOnError: false };
  const app = await NestFactory.createApplicationContext(WorkerModule.register(config), options);
  app.useLogger(new NestLog(app.get(Log)));
  app.get(StorageMetric).start();
  const metrics = await startMetricsServer(config.metricsHost, config.workerMetricsPort);
  const runner = app.get(WorkerRunner);
  runner.start();
  return {
    close: async () => {
      metrics.close();
      await runner.stop();
      await app.close();
    },
  };
});
