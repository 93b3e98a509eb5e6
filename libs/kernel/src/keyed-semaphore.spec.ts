import { KeyedSemaphore } from './keyed-semaphore';

describe('KeyedSemaphore', () => {
  let semaphore: KeyedSemaphore<string>;
  const ends: (() => void)[] = [];

  beforeEach(() => {
    jest.useFakeTimers();
    ends.length = 0;
    semaphore = new KeyedSemaphore({ openMax: 2, waitMaxMs: 1_000, message: 'too many at once' });
  });
  afterEach(() => jest.useRealTimers());

  const settle = () => jest.advanceTimersByTimeAsync(0);
  const held = (key: string) => semaphore.run(key, () => new Promise<void>((end) => ends.push(end)));

  it('admits as many callers of each key at once as the key has slots', async () => {
    for (let count = 0; count < 3; count++) void held('a');
    void held('b');
    await settle();
    expect(ends).toHaveLength(3);
    expect([semaphore.isFull('a'), semaphore.isFull('b'), semaphore.isFull('c')]).toEqual([
      true,
      false,
      false,
    ]);
    ends.shift()?.();
    await settle();
    expect(ends).toHaveLength(3);
    ends.splice(0).forEach((end) => end());
    await settle();
    expect(semaphore.isFull('a')).toBe(false);
  });

  it('admits callers in the order of their calls when the limit rises meanwhile', async () => {
    let openMax = 1;
    const changing = new KeyedSemaphore<string>({
      get openMax() {
        return openMax;
      },
      ...{ waitMaxMs: 1_000, message: 'too many at once' },
    });
    const entered: number[] = [];
    const enter = (name: number) => changing.enter('a').then(() => entered.push(name));
    await enter(1);
    void enter(2);
    void enter(3);
    await settle();
    openMax = 3;
    expect(changing.tryEnter('a')).toBe(false);
    void enter(4);
    await settle();
    expect(entered).toEqual([1, 2, 3]);
    openMax = 1;
    changing.leave('a');
    changing.leave('a');
    await settle();
    expect(entered).toEqual([1, 2, 3]);
    changing.leave('a');
    await settle();
    expect(entered).toEqual([1, 2, 3, 4]);
  });

  it('frees the slot of work that failed', async () => {
    const failed = semaphore
      .run('a', () => Promise.reject(new Error('refused')))
      .catch((error: Error) => error.message);
    void held('a');
    void held('a');
    expect(await failed).toBe('refused');
    await settle();
    expect(ends).toHaveLength(2);
  });

  it('refuses a caller that has waited too long', async () => {
    void held('a');
    void held('a');
    const late = held('a').catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await late).toMatchObject({
      code: 'UNAVAILABLE',
      message: 'too many at once',
      retryAfterSeconds: 2,
    });
    ends.splice(0).forEach((end) => end());
    await settle();
    expect(ends).toHaveLength(0);
  });

  describe('with a bound on all keys together', () => {
    const admitted: string[] = [];

    beforeEach(() => {
      admitted.length = 0;
      semaphore = new KeyedSemaphore({
        openMax: 3,
        openInAllMax: 4,
        waitingMax: 5,
        waitMaxMs: 1_000,
        message: 'too many at once',
      });
    });

    /** Holds a slot of the key until the next of `ends` is called. */
    const hold = (key: string) =>
      semaphore.run(key, () => {
        admitted.push(key);
        return new Promise<void>((end) => ends.push(end));
      });
    const endOne = async () => {
      ends.shift()?.();
      await settle();
    };

    it('never gives all slots to one key', async () => {
      for (let count = 0; count < 6; count++) void hold('a');
      void hold('b');
      await settle();
      expect(admitted).toEqual(['a', 'a', 'a', 'b']);
      expect(semaphore.isFull('c')).toBe(true);
    });

    it('gives free slots to the waiting keys in turn, however many callers of one key wait', async () => {
      for (let count = 0; count < 8; count++) void hold('a');
      for (const key of ['b', 'c', 'd', 'c']) void hold(key);
      await settle();
      expect(admitted).toEqual(['a', 'a', 'a', 'b']);
      for (let count = 0; count < 5; count++) await endOne();
      expect(admitted.slice(4)).toEqual(['c', 'd', 'a', 'c', 'a']);
    });

    it('refuses callers of a key at once when its queue is full, and admits other keys', async () => {
      for (let count = 0; count < 8; count++) void hold('a');
      await expect(hold('a')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 });
      void hold('b');
      await settle();
      expect(admitted).toContain('b');
    });

    it('gives no slot to an abandoned caller and removes it from the queue', async () => {
      let gone = false;
      for (let count = 0; count < 3; count++) void hold('a');
      const abandoned = Array.from({ length: 5 }, () =>
        semaphore.enter('a', () => gone).catch(() => 'refused'),
      );
      gone = true;
      void hold('a');
      expect(await Promise.all(abandoned)).toEqual(Array.from({ length: 5 }, () => 'refused'));
      await endOne();
      expect(admitted).toHaveLength(4);
    });

    it('has all slots free once all work has ended', async () => {
      for (let count = 0; count < 8; count++) void hold('a').catch(() => undefined);
      for (let count = 0; count < 4; count++) void hold('b').catch(() => undefined);
      await settle();
      while (ends.length > 0) await endOne();
      expect(admitted).toHaveLength(12);
      for (const key of ['a', 'a', 'a', 'b']) expect(semaphore.tryEnter(key)).toBe(true);
      expect(semaphore.tryEnter('b')).toBe(false);
    });
  });
});
