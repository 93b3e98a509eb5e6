import { DocumentTime } from './document-time';

const LIMITS = { timeoutMs: 1_000, blameCpuMs: 900 };

describe('the time of a document', () => {
  const begun = () => new DocumentTime(LIMITS, 500);

  it('is over once, where it had the processor for all of it', () => {
    expect(begun().afterPeriod(500 + 950)).toBe('time');
  });

  it('is given again, twice, where the processor was elsewhere', () => {
    const time = begun();
    expect([600, 700, 800].map((cpuMs) => time.afterPeriod(cpuMs))).toEqual([null, null, 'stalled']);
  });

  it('is enough for a text that needs half of it, where the machine gives it half of the processor', () => {
    const time = new DocumentTime({ timeoutMs: 3_000, blameCpuMs: 2_700 }, 0);
    expect(time.afterPeriod(1_500)).toBeNull();
    expect(time.isOver(1_600)).toBe(false);
  });

  it('is over as soon as it has had the processor for as long', () => {
    const time = begun();
    expect(time.isOver(500 + 2_000)).toBe(false);
    expect(time.afterPeriod(500 + 300)).toBeNull();
    expect(time.isOver(500 + 800)).toBe(false);
    expect(time.isOver(500 + 900)).toBe(true);
    expect(time.afterPeriod(500 + 900)).toBe('time');
  });

  it('is not given again to a process that does nothing', () => {
    expect(begun().afterPeriod(500 + 5)).toBe('stalled');
  });
});
