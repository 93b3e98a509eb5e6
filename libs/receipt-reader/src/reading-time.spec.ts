import { ReadingTime } from './reading-time';

const LIMITS = { ms: 100, cpuMs: 90, busyMs: 300 };

describe('the time of a reading', () => {
  const after = (...times: readonly (readonly [ms: number, cpuMs: number])[]) => {
    const clock = [[0, 0] as const, ...times].map(([ms, cpuMs]) => ({ ms, cpuMs }));
    const time = new ReadingTime(LIMITS, () => clock.shift()!);
    return times.map(() => time.hasRoom());
  };
  /** On an idle machine with several cores, processor time is not less than elapsed time. */
  const onIdleMachine = (...times: readonly number[]) => after(...times.map((ms) => [ms, ms * 1.5] as const));

  it('has room while another page would end in time', () => {
    expect(onIdleMachine(30, 60, 70)).toEqual([true, true, true]);
  });

  it('has no room for a page that takes as long as the longest one', () => {
    expect(onIdleMachine(20, 60, 61)).toEqual([true, true, false]);
    expect(onIdleMachine(51)).toEqual([false]);
  });

  it('is longer on a busy machine, until the processor time is used up', () => {
    expect(after([80, 25], [160, 50], [200, 65], [220, 70])).toEqual([true, true, true, false]);
  });

  it('is not longer than a document may take at all', () => {
    expect(after([100, 1], [200, 2], [201, 3])).toEqual([true, true, false]);
  });
});
