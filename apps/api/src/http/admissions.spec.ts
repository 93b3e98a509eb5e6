import { Admissions } from './admissions';
import type { Admission, Arrival } from './company-admissions';

const [CROWDED, OTHER, THIRD] = [1, 2, 3];
const INTERVAL_MAX_MS = 50;
const WAIT_MAX_MS = 5_000;
const WAITING_MAX = 1_000;
const UNDELAYED = 2;

const QUICK: Arrival = { isLong: false, bytes: 0 };
const UPLOAD: Arrival = { isLong: true, bytes: 0 };

describe('admissions', () => {
  let admissions: Admissions;
  let admitted: number;
  let refused: unknown[];

  beforeEach(() => {
    jest.useFakeTimers();
    admissions = new Admissions();
    admitted = 0;
    refused = [];
  });
  afterEach(() => jest.useRealTimers());

  /** @returns the admissions that were not refused at once */
  async function send(companyId: number, count: number, arrival = QUICK): Promise<Admission[]> {
    const sent: Admission[] = [];
    for (let number = 0; number < count; number++) {
      try {
        sent.push(admissions.enter(companyId, arrival));
      } catch (error) {
        refused.push(error);
      }
    }
    for (const { wait } of sent) {
      (wait ?? Promise.resolve()).then(
        () => admitted++,
        (error: unknown) => refused.push(error),
      );
    }
    await jest.advanceTimersByTimeAsync(0);
    return sent;
  }

  const leaveAll = (requests: readonly Admission[]): void => requests.forEach(({ leave }) => leave());

  function observe(utilization: number, times = 1): void {
    for (let seen = 0; seen < times; seen++) admissions.adapt(utilization);
  }

  /** Sends short requests at a rate while the event loop is this busy. @returns how many were admitted */
  async function flow(
    utilization: number,
    durationMs: number,
    perSample: Readonly<Record<number, number>>,
  ): Promise<Record<number, number>> {
    const counts: Record<number, number> = {};
    for (let passedMs = 0; passedMs < durationMs; passedMs += 50) {
      for (const [companyId, count] of Object.entries(perSample).map(
        ([id, count]) => [+id, count] as const,
      )) {
        const before = admitted;
        await send(companyId, count);
        counts[companyId] = (counts[companyId] ?? 0) + admitted - before;
      }
      await jest.advanceTimersByTimeAsync(50);
      observe(utilization);
    }
    return counts;
  }

  /** Whether a further request of the company would have to wait, since it has too many in progress. */
  async function isDelayed(companyId: number): Promise<boolean> {
    const sent = await send(companyId, 2 * UNDELAYED);
    const delayed = sent.some(({ wait }) => wait !== null);
    leaveAll(sent);
    return delayed;
  }

  it('delay nobody while the event loop is free', async () => {
    observe(0.2, 20);
    await send(CROWDED, 500);
    observe(0.2, 20);
    await send(CROWDED, 500);
    expect(admitted).toBe(1_000);
  });

  it('delay the company with most requests while the event loop is busy, and no other', async () => {
    await send(CROWDED, 100);
    observe(0.9, 20);
    admitted = 0;
    await send(CROWDED, 100);
    await send(OTHER, 10);
    expect(admitted).toBeGreaterThanOrEqual(10);
    expect(admitted).toBeLessThanOrEqual(11);
    admitted = 0;
    await jest.advanceTimersByTimeAsync(20 * INTERVAL_MAX_MS);
    expect(admitted).toBeGreaterThan(15);
    expect(admitted).toBeLessThan(25);
  });

  it('count a burst that comes after a time without calls', async () => {
    await jest.advanceTimersByTimeAsync(60_000);
    leaveAll(await send(CROWDED, 100));
    await jest.advanceTimersByTimeAsync(50);
    observe(0.9, 20);
    expect(await isDelayed(CROWDED)).toBe(true);
  });

  it('delay none of several companies with equally many requests', async () => {
    for (const companyId of [1, 2, 3]) await send(companyId, 50);
    observe(0.99, 50);
    for (const companyId of [1, 2, 3]) await send(companyId, 50);
    expect(admitted).toBe(300);
  });

  it.each([[[CROWDED, OTHER]], [[CROWDED, OTHER, THIRD]]])(
    'delay all companies that crowd the process together (%j), but not a quiet one',
    async (crowd) => {
      const QUIET = 9;
      for (const companyId of crowd) await send(companyId, 200);
      await send(QUIET, 5);
      observe(0.9, 20);
      for (const companyId of crowd) expect(await isDelayed(companyId)).toBe(true);
      expect(await isDelayed(QUIET)).toBe(false);
    },
  );

  it('delay a company beside one with far more requests', async () => {
    await send(OTHER, 5_000);
    await send(CROWDED, 200);
    await send(THIRD, 5);
    observe(0.9, 20);
    expect([await isDelayed(OTHER), await isDelayed(CROWDED), await isDelayed(THIRD)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('delay a company whose few requests carry most JSON', async () => {
    const requests = await send(CROWDED, 30, { isLong: false, bytes: 160 * 1024 });
    for (const { charge } of requests) charge(160 * 1024);
    await send(OTHER, 100);
    observe(0.9, 20);
    expect(await isDelayed(CROWDED)).toBe(true);
    expect(await isDelayed(OTHER)).toBe(false);
  });

  it('do not delay a company for its slow uploads, but delay another one that floods', async () => {
    await send(CROWDED, 550, UPLOAD);
    for (let second = 0; second < 10; second++) {
      await jest.advanceTimersByTimeAsync(1_000);
      observe(0.2);
    }
    const counts = await flow(0.9, 2_000, { [CROWDED]: 2, [OTHER]: 15 });
    expect(counts[CROWDED]).toBe(80);
    expect(await isDelayed(OTHER)).toBe(true);
    expect(await isDelayed(CROWDED)).toBe(false);
  });

  it('admit uploads of a crowding company at intervals, without using up the slots of its other requests', async () => {
    leaveAll(await send(CROWDED, 100));
    observe(0.9, 20);
    admitted = 0;
    await send(CROWDED, 20, UPLOAD);
    expect(admitted).toBeLessThanOrEqual(1);
    const others = await send(CROWDED, UNDELAYED);
    expect(others.filter(({ wait }) => wait !== null)).toEqual([]);
    admitted = 0;
    await jest.advanceTimersByTimeAsync(10 * INTERVAL_MAX_MS);
    expect(admitted).toBeGreaterThan(7);
    expect(admitted).toBeLessThan(13);
  });

  it('never delay a company with few requests in progress', async () => {
    leaveAll(await send(CROWDED, 100));
    observe(0.9, 20);
    admitted = 0;
    await send(CROWDED, UNDELAYED);
    expect(admitted).toBe(UNDELAYED);
  });

  it.each([
    ['at once where the event loop is free', 0.1, 600],
    ['within seconds where it is not quite', 0.4, 5_000],
  ])('end the delay %s', async (_, utilization, withinMs) => {
    await send(CROWDED, 100);
    observe(0.9, 20);
    await send(CROWDED, 300);
    for (let passedMs = 0; passedMs < withinMs; passedMs += 50) {
      await jest.advanceTimersByTimeAsync(50);
      observe(utilization);
    }
    admitted = 0;
    await send(CROWDED, 100);
    await jest.advanceTimersByTimeAsync(INTERVAL_MAX_MS);
    expect(admitted).toBe(100);
  });

  it('admit a waiting request if the company has few in progress, whatever its interval', async () => {
    const requests = await send(CROWDED, 30);
    observe(0.9, 20);
    await send(CROWDED, 1);
    const waiting = await send(CROWDED, 2);
    expect(waiting.map(({ wait }) => wait)).not.toContain(null);
    leaveAll(requests);
    await jest.advanceTimersByTimeAsync(0);
    expect(admitted).toBe(30 + UNDELAYED);
    expect(refused).toEqual([]);
  });

  it('refuse requests that wait for longer than 5 s, and more than 1,000 waiting ones, with UNAVAILABLE', async () => {
    await send(CROWDED, 100);
    observe(0.9, 20);
    await send(CROWDED, 1);
    admitted = 0;
    await send(CROWDED, WAITING_MAX + 2);
    expect(admitted).toBe(0);
    expect(refused).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(WAIT_MAX_MS + 100);
    expect(admitted).toBeGreaterThan(50);
    expect(admitted).toBeLessThan(125);
    expect(refused.length + admitted).toBe(WAITING_MAX + 2);
    expect(refused).toEqual(refused.map(() => expect.objectContaining({ code: 'UNAVAILABLE' })));
  });

  it('remove requests that leave while they wait, so that new ones find room and no slot is lost', async () => {
    const atWork = await send(CROWDED, 100);
    observe(0.9, 20);
    atWork.push(...(await send(CROWDED, 1)));
    const abandoned = await send(CROWDED, WAITING_MAX);
    leaveAll(abandoned);
    await jest.advanceTimersByTimeAsync(0);
    expect(refused).toHaveLength(WAITING_MAX);
    await send(CROWDED, 100);
    expect(refused).toHaveLength(WAITING_MAX);
    admitted = 0;
    for (let times = 0; times < 2; times++) leaveAll([...abandoned, ...atWork]);
    await jest.advanceTimersByTimeAsync(0);
    expect(admitted).toBe(UNDELAYED);
  });
});
