import {
  queueStores,
  type ServiceProcess,
  startProcesses,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { extract, FOUND, fresh, readersOf, requestsFor } from './samples';

/** A caller waits for 30 seconds, so this is well below. */
const PROMPT_MS = 15_000;
const REPLACED_MS = 5_000;

describe.each(queueStores())(
  'with the $kind queue, a worker that is suspended while it reads a document',
  (store) => {
    let service: ServiceProcesses;
    let other: ServiceProcess;

    beforeAll(async () => {
      service = await startProcesses(store);
    });
    afterAll(() => service?.stop());

    const attemptsAt = async (fileId: number) => (await requestsFor(service, fileId))[0]?.attempts;

    it('is replaced by another in time for the caller, and overwrites nothing when it resumes', async () => {
      await extract(service, await service.upload(fresh()));
      const readers = readersOf(service.worker.pid);
      for (const pid of readers) process.kill(pid, 'SIGSTOP');
      const fileId = await service.upload(fresh());
      const asked = performance.now();
      const waiting = extract(service, fileId);
      await until('the claim', async () => (await attemptsAt(fileId)) === 1);
      service.worker.pause();
      try {
        other = await service.startWorkerProcess();
        expect(await waiting).toMatchObject({ status: 200, body: { expenseData: FOUND } });
        expect(performance.now() - asked).toBeLessThan(PROMPT_MS);
        // By the clock of the paused process, the document takes too long.
        await until('its time to be over', () => performance.now() - asked > PROMPT_MS, 2 * PROMPT_MS);
      } finally {
        service.worker.resume();
      }
      // The paused reader is replaced if it was given the document before its worker was stopped. Otherwise it
      // continues.
      const isReplaced = () => readersOf(service.worker.pid).every((pid) => !readers.includes(pid));
      const replaced = await until('its reader to be replaced', isReplaced, REPLACED_MS).catch(() => false);
      if (!replaced) for (const pid of readers) process.kill(pid, 'SIGCONT');
      expect(await extract(service, fileId)).toMatchObject({ status: 200, body: { expenseData: FOUND } });
      expect(await attemptsAt(fileId)).toBe(2);
      expect(service.worker.isRunning && other.isRunning).toBe(true);
    }, 120_000);
  },
);
