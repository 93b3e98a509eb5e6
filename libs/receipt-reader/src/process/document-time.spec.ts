import { DocumentTime, readingLimits } from './document-time';

const LIMITS = { timeoutMs: 1_000, blameCpuMs: 900 };

describe('the time of a document', () => {
  const begun = () => new DocumentTime(LIMITS, 500);

  it('ends after one period of full processor time', () => {
    expect(begun().afterPeriod(500 + 950)).toBe('time');
  });

  it('is extended twice if the processor is busy with other processes', () => {
    const time = begun();
    expect([600, 700, 800].map((cpuMs) => time.afterPeriod(cpuMs))).toEqual([null, null, 'stalled']);
  });

  it('is enough for a text that needs half of it on a machine that is half busy', () => {
    const time = new DocumentTime({ timeoutMs: 3_000, blameCpuMs: 2_700 }, 0);
    expect(time.afterPeriod(1_500)).toBeNull();
    expect(time.isOver(1_600)).toBe(false);
  });

  it('ends as soon as the document has used its processor time', () => {
    const time = begun();
    expect(time.isOver(500 + 2_000)).toBe(false);
    expect(time.afterPeriod(500 + 300)).toBeNull();
    expect(time.isOver(500 + 800)).toBe(false);
    expect(time.isOver(500 + 900)).toBe(true);
    expect(time.afterPeriod(500 + 900)).toBe('time');
  });

  it('is longer than the time in which the process answers itself, on any machine', () => {
    expect(readingLimits(LIMITS)).toEqual({ ms: 850, cpuMs: 765, busyMs: 2_550 });
  });

  it('is not extended for an idle process', () => {
    expect(begun().afterPeriod(500 + 5)).toBe('stalled');
  });
});
