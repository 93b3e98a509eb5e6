import { runKilledSweep } from './killed-sweep.ts';

const CHANGES = 10_000;
const KILLS = 20;

describe('the sync of the README', () => {
  it(`misses none of ${CHANGES} changes, although its process is killed ${KILLS} times`, async () => {
    const report = await runKilledSweep(CHANGES, KILLS);
    console.log(report);
    expect(report).toMatchObject({ kills: KILLS, missing: [], outdated: [] });
    expect(report.changes).toBeGreaterThanOrEqual(CHANGES);
    expect(report.documents).toBeGreaterThan(CHANGES / 2);
  });
});
