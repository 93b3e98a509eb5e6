// The compiled worker with a clock that reads the time from a file. It is started by `clocked-worker.ts`.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const built = createRequire(new URL('../../../dist/apps/worker/src/main.js', import.meta.url));
built('reflect-metadata');
const { NestFactory } = built('@nestjs/core');
const { loadConfig } = built('../../../libs/config/src');
const { DatabaseClock } = built('../../../libs/database/src/database-clock');
const { runProcess } = built('../../../libs/lifecycle/src');
const { WorkerModule } = built('./worker.module');
const { WorkerRunner } = built('./worker-runner');

const { timeFile, env } = JSON.parse(process.argv[2]);
DatabaseClock.prototype.now = () => new Date(fs.readFileSync(timeFile, 'utf8'));

void runProcess(async () => {
  const options = { logger: false, abortOnError: false };
  const app = await NestFactory.createApplicationContext(WorkerModule.register(loadConfig(env)), options);
  const runner = app.get(WorkerRunner);
  runner.start();
  return {
    close: async () => {
      await runner.stop();
      await app.close();
    },
  };
});
