import { inTurn } from './in-turn';

describe('the first runs of tasks', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Tasks whose runs end when the test says so. */
  function heldTasks(count: number) {
    const running: number[] = [];
    const ends: (() => void)[] = [];
    const run = (index: number) => () => {
      running.push(index);
      return new Promise<void>((resolve) => (ends[index] = resolve));
    };
    const end = async (index: number): Promise<void> => {
      running.splice(running.indexOf(index), 1);
      ends[index]!();
      await pass(0);
    };
    return { running, end, works: inTurn(Array.from({ length: count }, (_, index) => run(index))) };
  }

  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  const { signal } = new AbortController();

  it('follow one another, and the later runs do not', async () => {
    const { running, end, works } = heldTasks(3);
    const first = Promise.all(works.map((work) => work(signal)));
    for (const index of [0, 1, 2]) {
      await pass(0);
      expect(running).toEqual([index]);
      await end(index);
    }
    await first;
    const second = Promise.all(works.map((work) => work(signal)));
    await pass(0);
    expect(running).toEqual([0, 1, 2]);
    for (const index of [0, 1, 2]) await end(index);
    await second;
  });

  it('wait 100 ms at most for the one before', async () => {
    const { running, works } = heldTasks(3);
    for (const work of works) void work(signal);
    await pass(99);
    expect(running).toEqual([0]);
    await pass(1);
    expect(running).toEqual([0, 1]);
    await pass(100);
    expect(running).toEqual([0, 1, 2]);
  });

  it('go on after one that fails', async () => {
    const failing = () => Promise.reject(new Error('no connection'));
    const [failed, next] = inTurn([failing, () => Promise.resolve('done')]);
    const refused = expect(failed!(signal)).rejects.toThrow('no connection');
    expect(await next!(signal)).toBe('done');
    await refused;
  });

  it.each([
    ['before the first of them', 0],
    ['while one of them runs', 1],
  ])('do not happen once the worker stops %s', async (_, began) => {
    const stopping = new AbortController();
    const { running, end, works } = heldTasks(2);
    const both = Promise.all(works.map((work) => work(stopping.signal)));
    if (began > 0) await pass(0);
    stopping.abort();
    await pass(0);
    expect(running).toEqual([0].slice(0, began));
    if (began > 0) await end(0);
    await both;
    expect(running).toEqual([]);
  });
});
