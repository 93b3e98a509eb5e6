import { setTimeout as sleep } from 'node:timers/promises';
import { inTime } from './in-time';

describe('work that may take too long', () => {
  it('gives its result, or its error', async () => {
    await expect(inTime(Promise.resolve(7), 1_000)).resolves.toBe(7);
    await expect(inTime(Promise.reject(new Error('refused')), 1_000)).rejects.toThrow('refused');
  });

  it('is given up after its time', async () => {
    const started = performance.now();
    await expect(inTime(sleep(2_000, undefined, { ref: false }), 50)).rejects.toThrow(
      'no answer within 50 ms',
    );
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('is not given up where its result came while this process was busy', async () => {
    const answer = new Promise<string>((resolve) =>
      setTimeout(() => setImmediate(() => resolve('read')), 20),
    );
    const result = inTime(answer, 30);
    const until = performance.now() + 100;
    while (performance.now() < until);
    await expect(result).resolves.toBe('read');
  });
});
