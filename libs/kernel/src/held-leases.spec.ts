import { HeldLeases, LEASE_MS } from './held-leases';

const RENEWAL_MS = 1_000;
const LONGEST_MS = 60_000;
const now = (): number => performance.now();
const never = new Promise<void>(() => undefined);

describe('held leases', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const renewedBy = (renew: (tokens: readonly string[]) => Promise<readonly string[]>) => {
    const calls: (readonly string[])[] = [];
    const errors: unknown[] = [];
    const leases = new HeldLeases({
      renew: (tokens, leaseMs) => {
        expect(leaseMs).toBe(LEASE_MS);
        calls.push(tokens);
        return renew(tokens);
      },
      onError: (error) => errors.push(error),
      longestMs: LONGEST_MS,
    });
    return { leases, calls, errors };
  };

  it('are renewed together, several times within their duration, until their work ends', async () => {
    const { leases, calls } = renewedBy((tokens) => Promise.resolve(tokens));
    let end = (): void => undefined;
    const first = leases.during('a', now(), () => new Promise<void>((resolve) => (end = resolve)));
    const second = leases.during('b', now(), () => never);
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
    await expect(leases.during('a', now(), () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
    await expect(leases.during('b', now(), () => Promise.resolve(7))).resolves.toBe(7);
    await jest.advanceTimersByTimeAsync(LEASE_MS);
    expect(calls).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('abort the work whose lease is lost, and no other', async () => {
    const { leases } = renewedBy((tokens) => Promise.resolve(tokens.filter((token) => token !== 'a')));
    const lost: string[] = [];
    for (const token of ['a', 'b']) {
      void leases.during(token, now(), (lease) => {
        lease.lost.addEventListener('abort', () => lost.push(token));
        return never;
      });
    }
    await jest.advanceTimersByTimeAsync(RENEWAL_MS);
    expect(lost).toEqual(['a']);
  });

  it('end work that hangs with an error, so that its slot is free, and ignore what it does later', async () => {
    const { leases, errors } = renewedBy((tokens) => Promise.resolve(tokens));
    let fail = (_: Error): void => undefined;
    const hanging = new Promise<void>((_, reject) => (fail = reject));
    const ends: unknown[] = [];
    leases.during('a', now(), () => hanging).catch((error: unknown) => ends.push(error));
    await jest.advanceTimersByTimeAsync(LONGEST_MS - 1);
    expect(ends).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(ends).toEqual([expect.objectContaining({ message: expect.stringContaining('60000 ms') })]);
    expect(errors).toEqual(ends);
    fail(new Error('late'));
    await jest.advanceTimersByTimeAsync(0);
    expect(ends).toHaveLength(1);
  });

  it('are not renewed for ever: work that hangs loses its lease, and other work keeps its own', async () => {
    const { leases, calls, errors } = renewedBy((tokens) => Promise.resolve(tokens));
    const lost: string[] = [];
    const hang = (token: string, claimedAt: number) =>
      void leases
        .during(token, claimedAt, (lease) => {
          lease.lost.addEventListener('abort', () => lost.push(`${token} ${String(lease.isCurrent())}`));
          return never;
        })
        .catch(() => undefined);
    hang('a', now());
    hang('b', now() + LEASE_MS);
    await jest.advanceTimersByTimeAsync(LONGEST_MS - 1);
    expect([lost, errors]).toEqual([[], []]);
    calls.length = 0;
    await jest.advanceTimersByTimeAsync(1);
    expect(lost).toEqual(['a false']);
    expect(calls).toEqual([['b']]);
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('60000 ms') })]);
    await jest.advanceTimersByTimeAsync(2 * LONGEST_MS);
    expect(lost).toEqual(['a false', 'b false']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('are renewed again after an error', async () => {
    const { leases, calls, errors } = renewedBy(() => Promise.reject(new Error('no database')));
    void leases.during('a', now(), () => never);
    await jest.advanceTimersByTimeAsync(2 * RENEWAL_MS);
    expect(calls).toHaveLength(2);
    expect(errors).toEqual([new Error('no database'), new Error('no database')]);
  });

  it('are renewed in time although a renewal gets no response', async () => {
    const hanging = new Promise<never>(() => undefined);
    let renewals = 0;
    const { leases, calls, errors } = renewedBy((tokens) =>
      renewals++ === 0 ? hanging : Promise.resolve(tokens),
    );
    let isCurrent = (): boolean => false;
    void leases.during('a', now(), (lease) => {
      ({ isCurrent } = lease);
      return never;
    });
    await jest.advanceTimersByTimeAsync(2 * RENEWAL_MS);
    expect(calls).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(LEASE_MS - 2 * RENEWAL_MS - 1);
    expect(errors).toHaveLength(1);
    expect(calls.length).toBeGreaterThan(1);
    await jest.advanceTimersByTimeAsync(LEASE_MS);
    expect(isCurrent()).toBe(true);
  });

  it('are not current once nothing renewed them for as long as they last', async () => {
    const { leases } = renewedBy(() => Promise.reject(new Error('no database')));
    let isCurrent = (): boolean => false;
    void leases.during('a', now() - 1_000, (lease) => {
      ({ isCurrent } = lease);
      return never;
    });
    await jest.advanceTimersByTimeAsync(LEASE_MS - 1_001);
    expect(isCurrent()).toBe(true);
    await jest.advanceTimersByTimeAsync(1);
    expect(isCurrent()).toBe(false);
  });
});
