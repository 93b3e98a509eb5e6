import { setTimeout as sleep } from 'node:timers/promises';
import { Batches } from './batches';

const PATIENCE_MS = 50;

/** Work whose answers the test gives: what has been asked for, batch by batch. */
class HeldWork {
  readonly asked: string[][] = [];
  private readonly waiting: { resolve: (results: string[]) => void; reject: (error: Error) => void }[] = [];

  readonly work = (items: readonly string[]): Promise<string[]> => {
    this.asked.push([...items]);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  };

  /** Answers the batch that has waited longest. */
  async answer(...results: string[]): Promise<void> {
    this.waiting.shift()?.resolve(results);
    await new Promise(setImmediate);
  }

  async fail(): Promise<void> {
    this.waiting.shift()?.reject(new Error('no database'));
    await new Promise(setImmediate);
  }
}

describe('batches', () => {
  let held: HeldWork;
  let batches: Batches<string, string>;

  let idle: number;

  beforeEach(() => {
    held = new HeldWork();
    idle = 0;
    batches = new Batches(held.work, PATIENCE_MS, () => (idle += 1));
  });

  it('begin at once when none is under way', async () => {
    const result = batches.ask('a');
    expect(held.asked).toEqual([['a']]);
    await held.answer('A');
    expect(await result).toBe('A');
  });

  it('serve those that come while one is under way together, each after it was asked for', async () => {
    const first = batches.ask('a');
    const others = ['b', 'a', 'c'].map((item) => batches.ask(item));
    expect(held.asked).toEqual([['a']]);
    await held.answer('A');
    expect(await first).toBe('A');
    expect(held.asked).toEqual([['a'], ['b', 'a', 'c']]);
    expect(idle).toBe(0);
    await held.answer('B', 'changed', 'C');
    expect(await Promise.all(others)).toEqual(['B', 'changed', 'C']);
    expect(idle).toBe(1);
  });

  it('tell all that wait of a failure, and go on with the next', async () => {
    const first = batches.ask('a');
    const second = batches.ask('b');
    const failed = expect(first).rejects.toThrow('no database');
    await held.fail();
    await failed;
    await held.answer('B');
    expect(await second).toBe('B');
  });

  it('go on after work that throws before it begins', async () => {
    let broken = true;
    const fragile = new Batches((items: readonly string[]) => {
      if (broken) throw new Error('not yet');
      return Promise.resolve([...items]);
    }, PATIENCE_MS);
    await expect(fragile.ask('a')).rejects.toThrow('not yet');
    broken = false;
    expect(await fragile.ask('b')).toBe('b');
  });

  it('do not wait for one that says nothing longer than their patience', async () => {
    const silent = batches.ask('a');
    const second = batches.ask('b');
    await sleep(2 * PATIENCE_MS);
    expect(held.asked).toEqual([['a'], ['b']]);
    await held.answer('A');
    await held.answer('B');
    expect(await Promise.all([silent, second])).toEqual(['A', 'B']);
  });
});
