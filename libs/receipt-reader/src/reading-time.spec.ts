import { ReadingTime } from './reading-time';

describe('the time of a reading', () => {
  const after = (limitMs: number, ...times: readonly number[]) => {
    const clock = [0, ...times];
    const time = new ReadingTime(limitMs, () => clock.shift()!);
    return times.map(() => time.hasRoom());
  };

  it('has room while another page would end in time', () => {
    expect(after(100, 30, 60, 70)).toEqual([true, true, true]);
  });

  it('has no room for a page that takes as long as the longest one', () => {
    expect(after(100, 20, 60, 61)).toEqual([true, true, false]);
    expect(after(100, 51)).toEqual([false]);
  });
});
