import { Readable } from 'node:stream';

/**
 * Returns the same bytes, with a timeout for a silent store: an error if a read waits for `silenceMaxMs`. Pauses of the
 * reader do not count. Destroying the returned stream destroys the body.
 */
export function withIdleTimeout(body: Readable, silenceMaxMs: number): Readable {
  // An error between two reads is thrown by the next read.
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
      // Do not count the time until the reader asks for more.
      clearTimeout(timer);
      yield next.value;
    } finally {
      clearTimeout(timer);
    }
  }
}
