import { Admissions } from './admission-gate';

const [CROWDED, OTHER] = [1, 2];
const INTERVAL_MAX_MS = 50;

describe('the admission of requests', () => {
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

  async function send(companyId: number, count: number, isAbandoned?: () => boolean): Promise<void> {
    for (let sent = 0; sent < count; sent++) {
      admissions.enter(companyId, isAbandoned).then(
        () => admitted++,
        (error: unknown) => refused.push(error),
      );
    }
    await jest.advanceTimersByTimeAsync(0);
  }

  function observe(utilization: number, times = 1): void {
    for (let seen = 0; seen < times; seen++) admissions.adapt(utilization);
  }

  it('delays nobody while the event loop is free', async () => {
    observe(0.2, 20);
    await send(CROWDED, 500);
    expect(admitted).toBe(500);
  });

  it('delays a company that has most requests while the event loop is busy, and no other', async () => {
    await send(CROWDED, 100);
    observe(0.9, 20);
    admitted = 0;
    await send(CROWDED, 100);
    await send(OTHER, 1);
    expect(admitted).toBeLessThanOrEqual(2);
    await jest.advanceTimersByTimeAsync(20 * INTERVAL_MAX_MS);
    expect(admitted).toBeGreaterThan(15);
    expect(admitted).toBeLessThan(25);
  });

  it('delays none of several companies that have equally many requests', async () => {
    for (const companyId of [1, 2, 3]) await send(companyId, 50);
    observe(0.99, 50);
    for (const companyId of [1, 2, 3]) await send(companyId, 50);
    expect(admitted).toBe(300);
  });

  it('never delays a company with few requests', async () => {
    await send(CROWDED, 100);
    observe(0.9, 20);
    for (let left = 0; left < 100; left++) admissions.leave(CROWDED);
    admitted = 0;
    await send(CROWDED, 4);
    expect(admitted).toBe(4);
  });

  it('admits all that wait once the event loop is free', async () => {
    await send(CROWDED, 100);
    observe(0.9, 20);
    await send(CROWDED, 100);
    observe(0.1, 20);
    await jest.advanceTimersByTimeAsync(INTERVAL_MAX_MS);
    expect(admitted).toBe(200);
  });

  it('admits a waiting request where the company has few open, whatever its interval', async () => {
    await send(CROWDED, 10);
    observe(0.9, 20);
    await send(CROWDED, 2);
    const before = admitted;
    for (let left = 0; left < before; left++) admissions.leave(CROWDED);
    await jest.advanceTimersByTimeAsync(0);
    expect(admitted).toBe(12);
  });

  it('answers what waits for longer than 10 s, and more than 1,000 that wait, with UNAVAILABLE', async () => {
    await send(CROWDED, 100);
    observe(0.9, 20);
    admitted = 0;
    await send(CROWDED, 1_002);
    expect(refused).toHaveLength(1 - admitted + 1);
    expect(refused).toEqual(refused.map(() => expect.objectContaining({ code: 'UNAVAILABLE' })));
    await jest.advanceTimersByTimeAsync(10_100);
    expect(refused.length + admitted).toBe(1_002);
    expect(admitted).toBeLessThan(250);
  });

  it('admits nothing whose caller has hung up', async () => {
    await send(CROWDED, 100);
    observe(0.9, 20);
    await send(CROWDED, 1);
    admitted = 0;
    await send(CROWDED, 50, () => true);
    await jest.advanceTimersByTimeAsync(INTERVAL_MAX_MS);
    expect(admitted).toBe(0);
    expect(refused).toHaveLength(50);
  });
});
