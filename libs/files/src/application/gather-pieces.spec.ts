import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { gatherPieces } from './gather-pieces';

const PIECE_BYTES = 16 * 1024;

async function* piecesOf(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (const size of sizes) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
    at += size;
  }
}

/** @returns the sizes of the gathered pieces, whose bytes must be the same */
async function gathered(sizes: readonly number[]): Promise<number[]> {
  const bytes = randomBytes(sizes.reduce((sum, size) => sum + size, 0));
  const pieces: Buffer[] = [];
  for await (const piece of gatherPieces(piecesOf(bytes, sizes))) pieces.push(piece);
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  return pieces.map(({ length }) => length);
}

describe('gathered pieces', () => {
  it('join the bytes of a slow upload', async () => {
    expect(await gathered(Array.from({ length: PIECE_BYTES + 1 }, () => 1))).toEqual([PIECE_BYTES, 1]);
  });

  it('leave large pieces as they are', async () => {
    expect(await gathered([65_536, 10, 65_536, PIECE_BYTES])).toEqual([65_536, 10, 65_536, PIECE_BYTES]);
  });

  it('are none for no bytes', async () => {
    expect(await gathered([])).toEqual([]);
  });

  it('hold the same bytes, whatever the sizes', async () => {
    const sizes = fc.array(
      fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 2 * PIECE_BYTES })),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(sizes, async (some) => {
        const found = await gathered(some);
        // Two neighbours never fit into one piece.
        for (let next = 1; next < found.length; next++)
          expect(found[next - 1]! + found[next]!).toBeGreaterThan(PIECE_BYTES);
      }),
    );
  });

  it('pass the error of the content on', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield Buffer.from('a');
      throw await Promise.resolve(new Error('cut off'));
    }
    await expect(gatherPieces(failing()).next()).rejects.toThrow('cut off');
  });
});
