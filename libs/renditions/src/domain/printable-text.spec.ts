import { breakable, directionOf, printableLine, printableLines } from './printable-text';

describe('printable text', () => {
  it('splits lines at each kind of line break', () => {
    expect(printableLines('a\nb\r\nc\rd\u2028e\u2029f\vg\fh\u0085i')).toEqual([...'abcdefghi']);
    expect(printableLine(' a\n b\tc ')).toBe('a b c');
  });

  it('removes control characters and what changes the displayed order of other texts', () => {
    expect(printableLine('a\u0000\u001b\u007f\u009f\ufeffb')).toBe('ab');
    expect(printableLine('a\ufffe\uffffb')).toBe('ab');
    expect(printableLine('\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069abc')).toBe('abc');
    expect(printableLine('abc\u200f\u200e')).toBe('abc\u200f\u200e');
  });

  it('replaces half of a surrogate pair', () => {
    expect(printableLine('a\ud800b\udc00')).toBe('a\ufffdb\ufffd');
  });

  it.each([
    ['שלום abc', 'rtl'],
    ['12% (שלום)', 'rtl'],
    ['فاتورة', 'rtl'],
    ['abc שלום', 'ltr'],
    ['+972-4-555-0142', 'ltr'],
    ['', 'ltr'],
  ])('takes the direction of %j from its first letter', (text, direction) => {
    expect(directionOf(text)).toBe(direction);
  });

  it('offers places to break only in long words', () => {
    expect(breakable('many short words, however long they all are together')).toBeNull();
    expect(breakable(`to ${'x'.repeat(18)} of ${'y'.repeat(19)}`)).toEqual({
      longestWord: 'y'.repeat(19),
      pieces: ['to xxxxxx', 'xxxxxx', 'xxxxxx', ' of yyyyyy', 'yyyyyy', 'yyyyyy', 'y'],
    });
  });

  it('separates no mark from its letter', () => {
    const word = 'שָׁ'.repeat(9);
    expect(breakable(word)?.pieces).toEqual(['שָׁ'.repeat(6), 'שָׁ'.repeat(3)]);
  });
});
