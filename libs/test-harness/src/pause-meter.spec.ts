import { setTimeout as sleep } from 'node:timers/promises';
import { type PauseMeter, startPauseMeter } from './pause-meter';

const PAUSE_MS = 300;
/**
 * More than a hundred intervals of the meter, so that a single late timer is less than one percent of the
 * samples.
 */
const AFTERWARDS_MS = 700;

let meter: PauseMeter;

beforeAll(() => {
  meter = startPauseMeter();
});
afterAll(() => meter.close());

/** Blocks the processor for the meter. */
async function pause(): Promise<void> {
  process.kill(meter.pid, 'SIGSTOP');
  await sleep(PAUSE_MS);
  process.kill(meter.pid, 'SIGCONT');
}

describe('the pause meter', () => {
  it('shows a pause in its window, also in p99, and in no later one', async () => {
    const closeFirst = await meter.open();
    await pause();
    const closeSecond = await meter.open();
    await sleep(AFTERWARDS_MS);
    const [first, second] = [await closeFirst(), await closeSecond()];
    expect(first.maxMs).toBeGreaterThan(PAUSE_MS * 0.9);
    expect(first.p99Ms).toBeGreaterThan(PAUSE_MS * 0.8);
    expect(second.maxMs).toBeLessThan(first.maxMs);
    expect(second.p99Ms).toBeLessThan(first.p99Ms);
  });

  it('shows a pause that has just ended', async () => {
    const close = await meter.open();
    await pause();
    expect((await close()).maxMs).toBeGreaterThan(PAUSE_MS * 0.9);
  });
});
