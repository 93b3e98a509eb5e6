import { Readable } from 'node:stream';

/**
 * Returns the same bytes. The store may be silent while nobody reads, and for `silenceMaxMs` while somebody does.
 * Destroying the returned stream destroys the body.
 */
export function withIdleTimeout(body: Readable, silenceMaxMs: number): Readable {
  // An error while nothing reads is reported to the next reader.
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
