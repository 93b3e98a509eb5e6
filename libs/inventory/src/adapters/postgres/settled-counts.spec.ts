import { SettledCounts } from './settled-counts';

const count = (rows: number) => ({ rows, upTo: '1', history: 'this' });

describe('settled counts', () => {
  it('are remembered by the name of the filter', () => {
    const counts = new SettledCounts();
    expect(counts.of('a')).toBeNull();
    counts.learn('a', count(1));
    counts.learn('b', count(2));
    counts.learn('a', count(3));
    expect([counts.of('a'), counts.of('b')]).toEqual([count(3), count(2)]);
  });

  it('are forgotten when there are too many, the one that was learnt longest ago first', () => {
    const counts = new SettledCounts();
    for (let index = 0; index < 10_000; index++) counts.learn(`${index}`, count(index));
    counts.learn('0', count(0));
    counts.learn('one too many', count(1));
    expect(counts.of('1')).toBeNull();
    expect(counts.of('0')).toEqual(count(0));
    expect(counts.of('2')).toEqual(count(2));
  });
});
