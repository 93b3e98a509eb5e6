import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from './in-parallel';

describe('inParallel', () => {
  it('returns the results in order, and works on so many items at a time', async () => {
    let running = 0;
    let most = 0;
    const results = await inParallel([30, 1, 10, 1, 1], 2, async (ms, index) => {
      most = Math.max(most, ++running);
      await sleep(ms);
      running--;
      return `${index}: ${ms}`;
    });
    expect(results).toEqual(['0: 30', '1: 1', '2: 10', '3: 1', '4: 1']);
    expect(most).toBe(2);
  });

  it('begins with no further item after an error', async () => {
    const begun: number[] = [];
    const working = inParallel([1, 2, 3, 4], 2, async (item) => {
      begun.push(item);
      await sleep(item);
      if (item === 1) throw new Error('one failed');
    });
    await expect(working).rejects.toThrow('one failed');
    await sleep(20);
    expect(begun).toEqual([1, 2]);
  });
});
