import { Gates } from './gates';

describe('gates', () => {
  let gates: Gates<string>;
  const ends: (() => void)[] = [];

  beforeEach(() => {
    jest.useFakeTimers();
    ends.length = 0;
    gates = new Gates({ openMax: 2, waitMaxMs: 1_000, message: 'too many at once' });
  });
  afterEach(() => jest.useRealTimers());

  const settle = () => jest.advanceTimersByTimeAsync(0);
  const held = (key: string) => gates.run(key, () => new Promise<void>((end) => ends.push(end)));

  it('let a few through at once for each key', async () => {
    for (let count = 0; count < 3; count++) void held('a');
    void held('b');
    await settle();
    expect(ends).toHaveLength(3);
    expect([gates.isFull('a'), gates.isFull('b'), gates.isFull('c')]).toEqual([true, false, false]);
    ends.shift()?.();
    await settle();
    expect(ends).toHaveLength(3);
    ends.splice(0).forEach((end) => end());
    await settle();
    expect(gates.isFull('a')).toBe(false);
  });

  it('admit in the order of their calls where the limit rises meanwhile', async () => {
    let openMax = 1;
    const changing = new Gates<string>({
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

  it('give the place of what failed to the next', async () => {
    const failed = gates
      .run('a', () => Promise.reject(new Error('refused')))
      .catch((error: Error) => error.message);
    void held('a');
    void held('a');
    expect(await failed).toBe('refused');
    await settle();
    expect(ends).toHaveLength(2);
  });

  it('send away who has waited too long', async () => {
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
      gates = new Gates({
        openMax: 3,
        openInAllMax: 4,
        waitingMax: 5,
        waitMaxMs: 1_000,
        message: 'too many at once',
      });
    });

    /** Holds a place of the key until the next of `ends` is called. */
    const hold = (key: string) =>
      gates.run(key, () => {
        admitted.push(key);
        return new Promise<void>((end) => ends.push(end));
      });
    const endOne = async () => {
      ends.shift()?.();
      await settle();
    };

    it('never give all places to one key', async () => {
      for (let count = 0; count < 6; count++) void hold('a');
      void hold('b');
      await settle();
      expect(admitted).toEqual(['a', 'a', 'a', 'b']);
      expect(gates.isFull('c')).toBe(true);
    });

    it('deal free places to the waiting keys in turn, however many wait of one', async () => {
      for (let count = 0; count < 8; count++) void hold('a');
      for (const key of ['b', 'c', 'd', 'c']) void hold(key);
      await settle();
      expect(admitted).toEqual(['a', 'a', 'a', 'b']);
      for (let count = 0; count < 5; count++) await endOne();
      expect(admitted.slice(4)).toEqual(['c', 'd', 'a', 'c', 'a']);
    });

    it('refuse at once what a key wants to have waiting beyond its bound, and no other key', async () => {
      for (let count = 0; count < 8; count++) void hold('a');
      await expect(hold('a')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 });
      void hold('b');
      await settle();
      expect(admitted).toContain('b');
    });

    it('give no place to a caller that has gone, and count it no longer', async () => {
      let gone = false;
      for (let count = 0; count < 3; count++) void hold('a');
      const abandoned = Array.from({ length: 5 }, () => gates.enter('a', () => gone).catch(() => 'refused'));
      gone = true;
      void hold('a');
      expect(await Promise.all(abandoned)).toEqual(Array.from({ length: 5 }, () => 'refused'));
      await endOne();
      expect(admitted).toHaveLength(4);
    });

    it('have all places free again once everything has ended', async () => {
      for (let count = 0; count < 8; count++) void hold('a').catch(() => undefined);
      for (let count = 0; count < 4; count++) void hold('b').catch(() => undefined);
      await settle();
      while (ends.length > 0) await endOne();
      expect(admitted).toHaveLength(12);
      for (const key of ['a', 'a', 'a', 'b']) expect(gates.tryEnter(key)).toBe(true);
      expect(gates.tryEnter('b')).toBe(false);
    });
  });
});
