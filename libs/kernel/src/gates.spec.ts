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
});
