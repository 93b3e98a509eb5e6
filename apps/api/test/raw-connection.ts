import net from 'node:net';
import { DEMO_KEY } from '@counterfoil/test-harness';

/** A connection on which a test sends any bytes, and may stop reading. */
export class RawConnection {
  private static readonly opened = new Set<RawConnection>();

  text = '';
  isClosed = false;
  private readonly socket: net.Socket;

  private constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    this.socket.on('data', (bytes: Buffer) => (this.text += bytes.toString('latin1')));
    this.socket.on('end', () => this.socket.end());
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => (this.isClosed = true));
  }

  static open(url: string, ...pieces: readonly (string | Buffer)[]): RawConnection {
    const connection = new RawConnection(url);
    RawConnection.opened.add(connection);
    for (const piece of pieces) connection.send(piece);
    return connection;
  }

  /** Resets all opened connections. Call it after each test. */
  static hangUpAll(): void {
    for (const connection of RawConnection.opened) connection.hangUp();
    RawConnection.opened.clear();
  }

  send(piece: string | Buffer): void {
    if (this.socket.writable) this.socket.write(piece);
  }

  /** @returns whether the piece was written completely */
  push(piece: Buffer): Promise<boolean> {
    return new Promise((resolve) => this.socket.write(piece, (error) => resolve(!error)));
  }

  stopReading(): void {
    this.socket.pause();
  }

  /** Reads the beginning of the answer, and nothing after it. */
  stopReadingOnceAnswered(): void {
    this.socket.once('data', () => this.socket.pause());
  }

  /** The statuses of all answers so far. */
  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  hangUp(): void {
    this.socket.resetAndDestroy();
  }
}

interface Head {
  readonly key?: string | null;
  readonly method?: string;
  /** Additional header lines, each with its line end. */
  readonly more?: string;
}

/** Returns the head of a request as bytes on the wire. */
export function headOf(path: string, { key = DEMO_KEY, method = 'POST', more = '' }: Head = {}): string {
  const authorization = key === null ? '' : `Authorization: Bearer ${key}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: a\r\n${authorization}${more}\r\n`;
}

/** Returns a JSON body of this size in bytes. */
export const jsonOf = (bytes: number): string =>
  `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n`;
