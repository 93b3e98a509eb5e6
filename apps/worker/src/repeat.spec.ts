import { until } from '@counterfoil/test-harness';
import { repeat, type Repetition, retryPauseMs } from './repeat';

describe('repeated work', () => {
  let repetition: Repetition | undefined;

  afterEach(() => repetition?.stop());

  const failures: unknown[] = [];
  let successes = 0;
  const start = (work: (signal: AbortSignal) => Promise<unknown>, pauseMs: number): Repetition => {
    failures.length = 0;
    successes = 0;
    repetition = repeat(work, pauseMs, {
      succeeded: () => (successes += 1),
      failed: (error) => failures.push(error),
    });
    return repetition;
  };

  it('runs at once, and again after each pause', async () => {
    const starts: number[] = [];
    start(async () => starts.push(performance.now()), 50);
    expect(starts).toHaveLength(1);
    await until('three runs', () => starts.length >= 3);
    const [first = 0, second = 0, third = 0] = starts;
    // A timer may fire up to a millisecond early.
    expect(Math.min(second - first, third - second)).toBeGreaterThan(48);
    expect(successes).toBeGreaterThanOrEqual(2);
    expect(failures).toEqual([]);
  });

  it('reports a failure and runs again after a fifth of a short pause', async () => {
    const starts: number[] = [];
    const failing = async () => {
      starts.push(performance.now());
      if (starts.length === 1) throw new Error('no connection');
    };
    start(failing, 10_000);
    await until('the second run', () => starts.length === 2, 8_000);
    const [first = 0, second = 0] = starts;
    expect(second - first).toBeGreaterThan(1_990);
    expect(failures).toEqual([new Error('no connection')]);
    await until('the success', () => successes === 1);
  });

  it.each([
    ['200 ms', 200, 400],
    ['5 s', 5_000, 1_000],
    ['a minute', 60_000, 12_000],
    ['ten minutes', 600_000, 600_000],
    ['an hour', 3_600_000, 3_600_000],
  ])('with a pause of %s, pauses after a failure for %d of %d ms', (_, pauseMs, expected) => {
    expect(retryPauseMs(pauseMs)).toBe(expected);
  });

  it('ends its pause when it is stopped, and does not run again', async () => {
    let runs = 0;
    const stopped = start(async () => (runs += 1), 3_600_000);
    await stopped.stop();
    expect(runs).toBe(1);
  });

  it('gets an abort signal when it is stopped, which waits for its end', async () => {
    const steps: string[] = [];
    const work = async (signal: AbortSignal) => {
      await until('the signal', () => signal.aborted);
      steps.push('ended');
    };
    const stopped = start(work, 3_600_000);
    expect(steps).toEqual([]);
    await stopped.stop();
    expect(steps).toEqual(['ended']);
  });
});
