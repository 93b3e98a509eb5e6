import { setImmediate } from 'node:timers/promises';
import { FileWaits } from './file-waits';

describe('waits for the same thing', () => {
  it('are one wait, whose result or error each caller gets, and the next caller begins another', async () => {
    const waits = new FileWaits<number>();
    let begun = 0;
    const begin = () => Promise.resolve((begun += 1));
    expect(await Promise.all([waits.join('a', begin), waits.join('a', begin)])).toEqual([1, 1]);
    expect(await Promise.all([waits.join('a', begin), waits.join('b', begin)])).toEqual([2, 3]);

    let end = (_result: number): void => undefined;
    const early = waits.join('c', () => new Promise((resolve) => (end = resolve)));
    await setImmediate();
    const joined = waits.join('c', begin);
    end(9);
    expect(await Promise.all([early, joined])).toEqual([9, 9]);

    const fail = () => Promise.reject(new Error('no worker'));
    const outcomes = await Promise.allSettled([waits.join('a', fail), waits.join('a', begin)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await waits.join('a', begin)).toBe(4);
  });
});
