/** Smaller pieces are joined. */
const PIECE_BYTES = 16 * 1024;

/**
 * Yields the same bytes in pieces of at least 16 KiB; only the last one, and one before a large piece, may be smaller. A
 * slow upload arrives byte by byte, and hashing and writing each byte separately would use the event loop for longer
 * than the upload is worth.
 */
export async function* gatherPieces(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let room: Buffer | null = null;
  let used = 0;
  for await (const piece of content) {
    if (room && used + piece.length > PIECE_BYTES) {
      yield room.subarray(0, used);
      room = null;
    }
    if (piece.length >= PIECE_BYTES) {
      yield piece;
      continue;
    }
    if (!room) {
      // Not reused: the reader may still write the last one.
      room = Buffer.allocUnsafeSlow(PIECE_BYTES);
      used = 0;
    }
    // Copied, so that a small piece does not keep a larger buffer in memory.
    used += piece.copy(room, used);
  }
  if (room) yield room.subarray(0, used);
}
