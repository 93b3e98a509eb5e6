import { bucket, flags, rank } from './model';

const candidate = (value: string, key: string, features: Record<string, number>) => ({
  value,
  key,
  features,
});

describe('ranking', () => {
  it('prefers candidates with higher weights', () => {
    const ranked = rank([candidate('a', 'a', { good: 1 }), candidate('b', 'b', { bad: 1 })], {
      good: 2,
      bad: -2,
    });
    expect(ranked.map((one) => one.candidate.value)).toEqual(['a', 'b']);
  });

  it('has a low probability without evidence for a candidate', () => {
    expect(rank([candidate('a', 'a', {})], { bias: -3 })[0]?.probability).toBeLessThan(0.1);
  });

  it('adds up repeated candidates, and returns the likelier spelling', () => {
    const once = rank([candidate('A-1', 'a1', { good: 1 })], { good: 1 })[0];
    const twice = rank([candidate('A1', 'a1', {}), candidate('A-1', 'a1', { good: 1 })], { good: 1 })[0];
    expect(twice?.candidate.value).toBe('A-1');
    expect(twice?.probability).toBeGreaterThan(once?.probability ?? 1);
  });

  it('names features by class and by condition', () => {
    expect(bucket('digits', 5, [3, 8])).toEqual({ 'digits<8': 1 });
    expect(bucket('digits', 9, [3, 8])).toEqual({ 'digits>=8': 1 });
    expect(flags({ yes: true, no: false })).toEqual({ yes: 1 });
  });
});
