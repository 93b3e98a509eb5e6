import { setTimeout as sleep } from 'node:timers/promises';
import { RequestCoalescer } from './request-coalescer';

const PATIENCE_MS = 50;

/** Work that records its coalescer and waits for the test to answer them. */
class HeldWork {
  readonly batches: string[][] = [];
  private readonly waiting: { resolve: (results: string[]) => void; reject: (error: Error) => void }[] = [];

  readonly work = (items: readonly string[]): Promise<string[]> => {
    this.batches.push([...items]);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  };

  /** Answers the oldest batch. */
  async answer(...results: string[]): Promise<void> {
    this.waiting.shift()?.resolve(results);
    await new Promise(setImmediate);
  }

  async fail(): Promise<void> {
    this.waiting.shift()?.reject(new Error('no database'));
    await new Promise(setImmediate);
  }
}

describe('RequestCoalescer', () => {
  let held: HeldWork;
  let coalescer: RequestCoalescer<string, string>;

  let idle: number;

  beforeEach(() => {
    held = new HeldWork();
    idle = 0;
    coalescer = new RequestCoalescer(held.work, PATIENCE_MS, () => (idle += 1));
  });

  it('starts a batch at once when none is under way', async () => {
    const result = coalescer.submit('a');
    expect(held.batches).toEqual([['a']]);
    await held.answer('A');
    expect(await result).toBe('A');
  });

  it('serves all calls that arrive during a batch by the next one', async () => {
    const first = coalescer.submit('a');
    const others = ['b', 'a', 'c'].map((item) => coalescer.submit(item));
    expect(held.batches).toEqual([['a']]);
    await held.answer('A');
    expect(await first).toBe('A');
    expect(held.batches).toEqual([['a'], ['b', 'a', 'c']]);
    expect(idle).toBe(0);
    await held.answer('B', 'changed', 'C');
    expect(await Promise.all(others)).toEqual(['B', 'changed', 'C']);
    expect(idle).toBe(1);
  });

  it('fails all calls of a failed batch and goes on with the next', async () => {
    const first = coalescer.submit('a');
    const second = coalescer.submit('b');
    const failed = expect(first).rejects.toThrow('no database');
    await held.fail();
    await failed;
    await held.answer('B');
    expect(await second).toBe('B');
  });

  it('goes on after work that throws synchronously', async () => {
    let broken = true;
    const fragile = new RequestCoalescer((items: readonly string[]) => {
      if (broken) throw new Error('not yet');
      return Promise.resolve([...items]);
    }, PATIENCE_MS);
    await expect(fragile.submit('a')).rejects.toThrow('not yet');
    broken = false;
    expect(await fragile.submit('b')).toBe('b');
  });

  it('starts the next batch when one takes longer than the patience', async () => {
    const silent = coalescer.submit('a');
    const second = coalescer.submit('b');
    await sleep(2 * PATIENCE_MS);
    expect(held.batches).toEqual([['a'], ['b']]);
    await held.answer('A');
    await held.answer('B');
    expect(await Promise.all([silent, second])).toEqual(['A', 'B']);
  });
});
