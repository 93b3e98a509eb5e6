import type { Socket } from 'node:net';

const HEADER_BYTES = 4;

/** Sends bytes with a length prefix. */
export function sendFrame(socket: Socket, content: Uint8Array): void {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(content.length);
  socket.write(header);
  socket.write(content);
}

/**
 * Receives the bytes of one frame. The connection may stay open after it, and nothing may follow.
 *
 * @throws Error if the frame exceeds `maxBytes`, or the connection ends before it is complete
 */
export function receiveFrame(socket: Socket, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let received = 0;
  let expected = Infinity;
  return new Promise((resolve, reject) => {
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      received += part.length;
      if (expected === Infinity && received >= HEADER_BYTES)
        expected = HEADER_BYTES + Buffer.concat(parts).readUInt32BE();
      if (received === expected) resolve(Buffer.concat(parts).subarray(HEADER_BYTES));
      else if (received > Math.min(expected, maxBytes + HEADER_BYTES))
        socket.destroy(new Error('the message exceeds the size limit'));
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the connection was closed')));
    socket.on('end', () => reject(new Error('the connection ended early')));
  });
}
