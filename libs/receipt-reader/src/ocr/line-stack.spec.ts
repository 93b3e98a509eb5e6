import { lineAt, shareOf, stackLines } from './line-stack';

/** A grey line with one dark pixel in the middle. */
function line(width: number, paper: number, ink: number) {
  const data = new Uint8Array(width * 48 * 3).fill(paper);
  data.fill(ink, 3 * (24 * width + 5), 3 * (24 * width + 5 + width / 2));
  return { width, height: 48, data };
}

describe('a stack of lines', () => {
  const lines = [line(200, 200, 60), line(400, 90, 20)];
  const stack = stackLines(lines);

  it('is as wide as the longest line, with white between the lines', () => {
    expect(stack.picture.subarray(0, 15).toString('latin1')).toBe('P5\n448 168\n255\n');
    expect(stack.picture.length).toBe('P5\n448 168\n255\n'.length + 448 * 168);
  });

  it('makes the paper of each line white, even if it is dark', () => {
    const pixels = stack.picture.subarray('P5\n448 168\n255\n'.length);
    expect(pixels[(24 + 5) * 448 + 30]).toBe(255);
    expect(pixels[(24 + 72 + 5) * 448 + 30]).toBe(255);
  });

  it('returns the line and the offset of a position', () => {
    expect([48, 48 + 72].map((y) => lineAt(stack, y))).toEqual([0, 1]);
    expect([2, 167].map((y) => lineAt(stack, y))).toEqual([undefined, undefined]);
    expect(shareOf(lines[1]!, 24 + 100)).toBeCloseTo(0.25);
  });
});
