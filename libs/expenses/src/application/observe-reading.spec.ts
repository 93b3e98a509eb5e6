import { register } from 'prom-client';
import { observeReading } from './observe-reading';
import { failed } from './ports/reading-outcome';
import { ReadingStalled } from './ports/receipt-reader';

async function counts(): Promise<Record<string, number>> {
  const text = await register.getSingleMetricAsString('counterfoil_receipt_reading_seconds');
  const lines = [...text.matchAll(/_count\{outcome="(\w+)"\} (\d+)/g)];
  return Object.fromEntries(lines.map(([, outcome, count]) => [outcome, Number(count)]));
}

describe('the metric of readings', () => {
  it('counts failures, and documents that the reader did not finish, which is what its alert needs', async () => {
    await observeReading(() => Promise.resolve(failed('EXTRACTION_FAILED', 'no text', 'lasting')));
    await expect(observeReading(() => Promise.reject(new ReadingStalled(undefined)))).rejects.toThrow();
    expect(await observeReading(() => Promise.resolve('given-back' as const))).toBe('given-back');
    await expect(observeReading(() => Promise.reject(new Error('the worker stops')))).rejects.toThrow();
    expect(await counts()).toEqual({ EXTRACTION_FAILED: 1, UNAVAILABLE: 1 });
  });
});
