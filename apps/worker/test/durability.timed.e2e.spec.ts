import { queueStores } from '@counterfoil/test-harness';
import { runDurability } from './trials/durability-run';

const KILLS = 2;

describe.each(queueStores())(
  'with the $kind queue, worker, API and PostgreSQL killed under load',
  (store) => {
    it('every event arrives, few twice, and every delivery has the right state', async () => {
      const report = await runDurability(store, {
        seed: 1,
        kills: KILLS,
        flushes: 1,
        redisStopMs: 0,
        killPauseMs: [1_500, 5_000],
        flushPauseMs: [2_000, 3_000],
        documentsPerSecond: 60,
      });
      expect(report.faults).toEqual([]);
      expect(report).toMatchObject({
        lost: 0,
        phantoms: 0,
        unexplained: [],
        flushes: store.kind === 'redis' ? 1 : 0,
      });
      expect(report.kills).toHaveLength(3 * KILLS);
      expect(report.issued).toBeGreaterThan(30);
      expect(report.refused).toBeGreaterThan(0);
      expect(report.duplicates).toBeLessThanOrEqual(report.inFlightAtKills);
    }, 180_000);
  },
);
