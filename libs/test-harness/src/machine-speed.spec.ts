import { setTimeout as sleep } from 'node:timers/promises';
import { relativeCost, workOneUnit } from './machine-speed';

describe('the relative cost', () => {
  it('grows with the work', async () => {
    const cost = await relativeCost(() => {
      for (let units = 0; units < 4; units++) workOneUnit();
    });
    expect(cost).toBeGreaterThan(2);
    expect(cost).toBeLessThan(8);
  });

  it('contains no waiting', async () => {
    expect(await relativeCost(() => sleep(200))).toBeLessThan(1);
  });

  it('counts what the caller measures', async () => {
    expect(await relativeCost(workOneUnit, () => Promise.resolve(10_000))).toBeGreaterThan(10);
  });
});
