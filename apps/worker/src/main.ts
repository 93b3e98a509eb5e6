import 'reflect-metadata';
import { loadProcessConfig } from '@counterfoil/config';
import { assertDatabaseReady } from '@counterfoil/database';
import { runProcess } from '@counterfoil/lifecycle';
import { Log, NestLog, startMetricsServer } from '@counterfoil/observability';
import { assertQueueStoreReachable } from '@counterfoil/queue';
import { NestFactory } from '@nestjs/core';
import { WorkerModule } from './worker.module';
import { WorkerRunner } from './worker-runner';

void runProcess(async () => {
  const config = loadProcessConfig();
  await Promise.all([assertDatabaseReady(config), assertQueueStoreReachable(config)]);
  const options = { bufferLogs: true, abortOnError: false };
  const app = await NestFactory.createApplicationContext(WorkerModule.register(config), options);
  app.useLogger(new NestLog(app.get(Log)));
  const metrics = await startMetricsServer(config.host, config.workerMetricsPort);
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
