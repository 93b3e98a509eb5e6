import { HeldLeases, LEASE_MS } from './held-leases';

const RENEWAL_MS = 1_000;
const never = new Promise<void>(() => undefined);

describe('held leases', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const renewedBy = (renew: (tokens: readonly string[]) => Promise<readonly string[]>) => {
    const calls: (readonly string[])[] = [];
    const errors: unknown[] = [];
    const leases = new HeldLeases(
      (tokens, leaseMs) => {
        expect(leaseMs).toBe(LEASE_MS);
        calls.push(tokens);
        return renew(tokens);
      },
      (error) => errors.push(error),
    );
    return { leases, calls, errors };
  };

  it('are renewed together, several times within their duration, until their work ends', async () => {
    const { leases, calls } = renewedBy((tokens) => Promise.resolve(tokens));
    let end = (): void => undefined;
    const first = leases.during('a', () => new Promise<void>((resolve) => (end = resolve)));
    const second = leases.during('b', () => never);
    void second;
    await jest.advanceTimersByTimeAsync(LEASE_MS);
    expect(calls.length).toBeGreaterThan(2);
    expect(new Set(calls.flat())).toEqual(new Set(['a', 'b']));
    end();
    await first;
    calls.length = 0;
    await jest.advanceTimersByTimeAsync(RENEWAL_MS);
    expect(calls).toEqual([['b']]);
  });

  it('are not renewed once no work is left, also if it failed', async () => {
    const { leases, calls } = renewedBy((tokens) => Promise.resolve(tokens));
    await expect(leases.during('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(leases.during('b', () => Promise.resolve(7))).resolves.toBe(7);
    await jest.advanceTimersByTimeAsync(LEASE_MS);
    expect(calls).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('tell the work of the one that is lost, and not of the others', async () => {
    const { leases } = renewedBy((tokens) => Promise.resolve(tokens.filter((token) => token !== 'a')));
    const lost: string[] = [];
    for (const token of ['a', 'b']) {
      void leases.during(token, (signal) => {
        signal.addEventListener('abort', () => lost.push(token));
        return never;
      });
    }
    await jest.advanceTimersByTimeAsync(RENEWAL_MS);
    expect(lost).toEqual(['a']);
  });

  it('are renewed one at a time, and again after an error', async () => {
    const answers: ((error: Error) => void)[] = [];
    const { leases, calls, errors } = renewedBy(() => new Promise((_, reject) => answers.push(reject)));
    void leases.during('a', () => never);
    await jest.advanceTimersByTimeAsync(3 * RENEWAL_MS);
    expect(calls).toHaveLength(1);
    answers[0]?.(new Error('no database'));
    await jest.advanceTimersByTimeAsync(RENEWAL_MS);
    expect(errors).toEqual([new Error('no database')]);
    expect(calls).toHaveLength(2);
  });
});
