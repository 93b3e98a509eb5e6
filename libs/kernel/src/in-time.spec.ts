import { setTimeout as sleep } from 'node:timers/promises';
import { inTime } from './in-time';

describe('inTime', () => {
  it('passes the result or the error on', async () => {
    await expect(inTime(Promise.resolve(7), 1_000)).resolves.toBe(7);
    await expect(inTime(Promise.reject(new Error('refused')), 1_000)).rejects.toThrow('refused');
  });

  it('rejects after the timeout', async () => {
    const started = performance.now();
    await expect(inTime(sleep(60_000, undefined, { ref: false }), 50)).rejects.toThrow(
      'no answer within 50 ms',
    );
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('accepts a result that arrived while the event loop was blocked', async () => {
    const answer = new Promise<string>((resolve) =>
      setTimeout(() => setImmediate(() => resolve('read')), 20),
    );
    const result = inTime(answer, 30);
    const until = performance.now() + 100;
    while (performance.now() < until);
    await expect(result).resolves.toBe('read');
  });
});
