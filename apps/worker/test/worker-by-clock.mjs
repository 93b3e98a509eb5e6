// The compiled worker with a clock that reads the time from a file. It is started by `clocked-worker.ts`.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const built = createRequire(new URL('../../../dist/apps/worker/src/main.js', import.meta.url));
built('reflect-metadata');
const { Test } = built('@nestjs/testing');
const { loadConfig } = built('../../../libs/config/src');
const { Clock } = built('../../../libs/kernel/src');
const { runProcess } = built('../../../libs/lifecycle/src');
const { WorkerModule } = built('./worker.module');
const { WorkerRunner } = built('./worker-runner');

const { timeFile, env } = JSON.parse(process.argv[2]);

class FileClock extends Clock {
  now() {
    return new Date(fs.readFileSync(timeFile, 'utf8'));
  }
}

void runProcess(async () => {
  const app = await Test.createTestingModule({ imports: [WorkerModule.register(loadConfig(env))] })
    .overrideProvider(Clock)
    .useValue(new FileClock())
    .compile();
  await app.init();
  const runner = app.get(WorkerRunner);
  runner.start();
  return {
    close: async () => {
      await runner.stop();
      await app.close();
    },
  };
});
