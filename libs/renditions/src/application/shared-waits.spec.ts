import { SharedWaits } from './shared-waits';

describe('waits for the same thing', () => {
  it('are one wait, whose result or error each caller gets, and the next caller begins another', async () => {
    const waits = new SharedWaits<number>();
    let begun = 0;
    const begin = () => Promise.resolve((begun += 1));
    expect(await Promise.all([waits.join('a', begin), waits.join('a', begin)])).toEqual([1, 1]);
    expect(await Promise.all([waits.join('a', begin), waits.join('b', begin)])).toEqual([2, 3]);

    const fail = () => Promise.reject(new Error('no worker'));
    const outcomes = await Promise.allSettled([waits.join('a', fail), waits.join('a', begin)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await waits.join('a', begin)).toBe(4);
  });
});
