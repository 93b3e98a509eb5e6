import type { Socket } from 'node:net';

const HEADER_BYTES = 4;

/** Sends bytes with their count before them, and nothing after them. */
export function sendFrame(socket: Socket, content: Uint8Array): void {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(content.length);
  socket.write(header);
  socket.end(content);
}

/**
 * The bytes that the other side sends.
 *
 * @throws Error when it sends more than `maxBytes`, or the connection ends before they are whole
 */
export function receiveFrame(socket: Socket, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let received = 0;
  return new Promise((resolve, reject) => {
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      received += part.length;
      if (received > maxBytes + HEADER_BYTES) socket.destroy(new Error('more was sent than is allowed'));
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
