import { brotliCompressSync, deflateSync } from 'node:zlib';
import { BoundedDecompression } from './bounded-decompression';

const MIB = 1024 * 1024;

async function piecesOf(data: Uint8Array, format: 'deflate' | 'brotli' = 'deflate'): Promise<Uint8Array[]> {
  const { readable, writable } = new BoundedDecompression(format);
  const writer = writable.getWriter();
  writer.write(data).catch(() => undefined);
  writer.close().catch(() => undefined);
  const pieces: Uint8Array[] = [];
  for await (const piece of readable) pieces.push(piece);
  return pieces;
}

describe('decompression for pdfjs', () => {
  it.each([10, 5 * MIB, 40 * MIB])('returns %i bytes in one piece of its own memory', async (size) => {
    const data = Buffer.alloc(size, 'abc');
    const [piece, ...more] = await piecesOf(deflateSync(data));
    expect(more).toEqual([]);
    expect(Buffer.compare(piece!, data)).toBe(0);
    expect(piece!.buffer.byteLength).toBe(size);
  });

  it('knows brotli', async () => {
    const [piece] = await piecesOf(brotliCompressSync(Buffer.from('text')), 'brotli');
    expect(Buffer.from(piece!).toString()).toBe('text');
  });

  it('cuts off what is too large', async () => {
    const [piece] = await piecesOf(deflateSync(Buffer.alloc(300 * MIB), { level: 1 }));
    expect(piece!.length).toBe(256 * MIB);
  }, 60_000);

  it('fails for damaged data', async () => {
    const damaged = deflateSync(Buffer.alloc(MIB, 'abc')).fill(7, 20);
    await expect(piecesOf(damaged)).rejects.toThrow();
  });
});
