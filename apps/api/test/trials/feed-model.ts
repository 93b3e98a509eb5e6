import { setTimeout as sleep } from 'node:timers/promises';
import { queueStores, startProcesses, type ServiceProcesses } from '@counterfoil/test-harness';
import { closeConnections } from '../http-exchange';
import { Workload, type WorkloadReport } from './feed-workload';
import { startLog } from './feed-log';

const WRITERS = 8;
const LIMITS = [1, 7, 50, 200];
const COUNTING_PAUSE_MS = 100;

export interface FeedReport {
  /** The company with 8 writers. */
  readonly main: WorkloadReport;
  /** Another company, whose commits are delayed for long. */
  readonly other: WorkloadReport;
  readonly writingMs: number;
  /** Time from the last change until every reader has seen it. */
  readonly drainingMs: number;
}

/**
 * Makes `changes` changes in one company with 8 writers and two API processes, while some commits are delayed
 * or rolled back. Meanwhile, readers read the feed and lose their position at random, another company's
 * commits are delayed for long, and a foreign transaction stays open after a write. Then compares the data of
 * each reader with the database's record of commits (contract §10.4).
 */
export async function runFeedModel(changes: number): Promise<FeedReport> {
  const service = await startProcesses(queueStores()[0]!, { LOG_LEVEL: 'silent' });
  try {
    await startLog(service.database);
    // The worker does not affect the feed, and would use half of the machine.
    await service.worker.kill('SIGKILL');
    await service.database.query('create table foreign_table (content text)');
    // An idle foreign transaction with a write, so that vacuum cannot remove rows that are deleted after it.
    const foreign = service.database.hold(`insert into foreign_table values ('never committed')`);
    await foreign.ready;
    try {
      return await observe(service, changes);
    } finally {
      await foreign.release();
    }
  } finally {
    closeConnections();
    await service.stop();
  }
}

async function observe(service: ServiceProcesses, changes: number): Promise<FeedReport> {
  const second = await service.startApiProcess();
  const urls = [service.url, second.url];
  const main = await Workload.gather(service, urls, { writers: WRITERS, limits: LIMITS, slow: false });
  const other = await Workload.gather(service, urls, { writers: 1, limits: [7], slow: true });
  const started = performance.now();
  const { writtenAt, drainedAt } = await writeAndRead([main, other], async () => {
    return (await main.changes()) >= changes;
  });
  return {
    main: await main.report(),
    other: await other.report(),
    writingMs: writtenAt - started,
    drainingMs: drainedAt - writtenAt,
  };
}

async function writeAndRead(
  workloads: readonly Workload[],
  isEnough: () => Promise<boolean>,
): Promise<{ writtenAt: number; drainedAt: number }> {
  const over = { writing: false, reading: false };
  const writing = workloads.flatMap(({ writers }) =>
    writers.map((writer) => writer.writeUntil(() => over.writing)),
  );
  const reading = workloads.flatMap(({ readers }) =>
    readers.map((reader) => reader.readUntil(() => over.reading)),
  );
  const enough = async () => {
    while (!over.writing && !(await isEnough())) await sleep(COUNTING_PAUSE_MS);
  };
  try {
    // The loops end early only by an error, which ends the trial at once.
    await Promise.race([enough(), Promise.all([...writing, ...reading])]);
    over.writing = true;
    await Promise.all(writing);
    const writtenAt = performance.now();
    over.reading = true;
    await Promise.all(reading);
    return { writtenAt, drainedAt: performance.now() };
  } finally {
    over.writing = over.reading = true;
    await Promise.allSettled([...writing, ...reading]);
  }
}
