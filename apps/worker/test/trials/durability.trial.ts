import { randomInt } from 'node:crypto';
import { Figures, queueStores } from '@counterfoil/test-harness';
import { type DurabilityReport, runDurability } from './durability-run';

/** Number of kills of each of the worker, the API and PostgreSQL. */
const KILLS = 100;
const FLUSHES = 20;
const REDIS_STOP_MS = 60_000;
const EXAMPLES = 10;
const DOCUMENTS_PER_SECOND = 30;
/** Set to a printed seed to repeat the pauses between faults. Their effect on the load still differs. */
const SEED: number | null = null;

const share = (report: DurabilityReport, part: string) => report.kills.filter((kill) => kill.part === part);

function print(figures: Figures, report: DurabilityReport): void {
  for (const part of ['worker', 'api', 'postgresql']) {
    figures.add(`kill -9 of ${part}`, share(report, part).length, '', { atLeast: KILLS });
  }
  figures.add('documents issued', report.issued);
  figures.add('documents refused at their commit', report.refused, '', { atLeast: 1 });
  figures.add('calls that clients made again', report.retries);
  figures.add('events committed', report.events);
  figures.add('deliveries', report.deliveries);
  figures.add('deliveries dropped after six failures', report.dropped);
  figures.add('attempts recorded', report.attempts);
  figures.add('drained after the last fault', report.drainedMs / 1_000, ' s');
  figures.add('events lost', report.lost, '', { atMost: 0 });
  figures.add('events that were never committed', report.phantoms, '', { atMost: 0 });
  figures.add('requests open at kills of worker and PostgreSQL', report.openAtKills);
  figures.add('those, and those whose end could not be recorded', report.inFlightAtKills);
  figures.add('events sent again though acknowledged', report.duplicates, '', {
    atMost: report.inFlightAtKills,
  });
  figures.add('of those, not by a kill', report.unexplained.length, '', { atMost: 0 });
  for (const example of report.unexplained.slice(0, EXAMPLES)) figures.note(example);
}

describe.each(queueStores())('with the $kind queue, under load while everything is killed', (store) => {
  it('every event arrives, few twice, and every delivery has the right state', async () => {
    const seed = SEED ?? randomInt(2 ** 31);
    const figures = new Figures();
    figures.heading(`${store.kind} queue: ${KILLS} kills each, seed ${seed}`);
    const report = await runDurability(store, {
      seed,
      kills: KILLS,
      flushes: FLUSHES,
      redisStopMs: REDIS_STOP_MS,
      killPauseMs: [300, 4_000],
      flushPauseMs: [3_000, 25_000],
      documentsPerSecond: DOCUMENTS_PER_SECOND,
    });
    print(figures, report);
    if (store.kind === 'redis') {
      figures.add('Redis flushed', report.flushes, '', { atLeast: FLUSHES });
      figures.add('documents issued while Redis was away', report.issuedWithoutRedis, '', {
        atLeast: REDIS_STOP_MS / 1_000,
      });
    }
    expect(report.faults).toEqual([]);
    expect(figures.broken).toEqual([]);
  });
});
