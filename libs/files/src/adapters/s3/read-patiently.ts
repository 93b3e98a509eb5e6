import { Readable } from 'node:stream';

/**
 * The same bytes. The store may be silent for as long as nobody asks for more; while somebody does, `silenceMaxMs` at
 * most. Whoever destroys what is answered destroys the body.
 */
export function readPatiently(body: Readable, silenceMaxMs: number): Readable {
  // What breaks off while nobody reads is told to who reads on.
  body.on('error', () => undefined);
  const content = Readable.from(piecesOf(body, silenceMaxMs), { objectMode: false });
  content.once('close', () => body.destroy());
  return content;
}

async function* piecesOf(body: Readable, silenceMaxMs: number): AsyncGenerator<Buffer, void, undefined> {
  const pieces: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  const silent = (): unknown => body.destroy(new Error(`the store sent nothing for ${silenceMaxMs} ms`));
  for (;;) {
    const timer = setTimeout(silent, silenceMaxMs);
    try {
      const next = await pieces.next();
      if (next.done) return;
      // The reader's own time begins here.
      clearTimeout(timer);
      yield next.value;
    } finally {
      clearTimeout(timer);
    }
  }
}
