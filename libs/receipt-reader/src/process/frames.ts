import type { Socket } from 'node:net';

const HEADER_BYTES = 4;

/** Sends bytes with a length prefix. Nothing may follow them. */
export function sendFrame(socket: Socket, content: Uint8Array): void {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(content.length);
  socket.write(header);
  socket.end(content);
}

/**
 * Receives the bytes of one frame.
 *
 * @throws Error if the frame exceeds `maxBytes`, or the connection ends before it is complete
 */
export function receiveFrame(socket: Socket, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let received = 0;
  return new Promise((resolve, reject) => {
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      received += part.length;
      if (received > maxBytes + HEADER_BYTES) socket.destroy(new Error('the message exceeds the size limit'));
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the connection was closed')));
    socket.on('end', () => {
      const all = Buffer.concat(parts);
      const whole = received >= HEADER_BYTES && all.readUInt32BE() === received - HEADER_BYTES;
      if (whole) resolve(all.subarray(HEADER_BYTES));
      else reject(new Error('the connection ended early'));
    });
  });
}
