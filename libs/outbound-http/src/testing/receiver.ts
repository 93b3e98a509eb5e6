import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';
import { generate } from 'selfsigned';

/** A server on loopback. */
export interface Receiver {
  readonly port: number;
  /** TCP connections accepted so far. */
  accepted(): number;
  /** Connections open now. */
  open(): number;
  close(): Promise<void>;
}

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** The reaction of a socket to a complete request head. `count` is 1 for the first on its connection. */
export type Answering = (socket: Socket, count: number) => void;

/** A server that handles raw sockets, from the moment they are accepted. */
export function givenSocketServer(onConnection: (socket: Socket) => void): Promise<Receiver> {
  return started(net.createServer(onConnection));
}

/** A server that reads request heads and answers each with raw bytes. */
export function givenRawServer(answer: Answering): Promise<Receiver> {
  return givenSocketServer((socket) => answerRequests(socket, answer));
}

export function givenRawTlsServer(options: tls.TlsOptions, answer: Answering): Promise<Receiver> {
  return started(tls.createServer(options, (socket) => answerRequests(socket, answer)));
}

export function givenHttpServer(
  listener: http.RequestListener,
  host?: string,
  port?: number,
): Promise<Receiver> {
  return started(http.createServer(listener), host, port);
}

export function givenHttpsServer(
  options: https.ServerOptions,
  listener: http.RequestListener,
): Promise<Receiver> {
  return started(https.createServer(options, listener));
}

/** Creates a certificate authority and a certificate for the name. */
export async function givenCertificate(
  name: string,
  validUntil?: Date,
): Promise<Certificate & { ca: string }> {
  const year = 365 * 24 * 3_600_000;
  const authority = await generate([{ name: 'commonName', value: 'Test authority' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true, critical: true },
    ],
  });
  const leaf = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - year),
    notAfterDate: validUntil ?? new Date(Date.now() + year),
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
    ],
  });
  return { key: leaf.private, cert: leaf.cert, ca: authority.cert };
}

function answerRequests(socket: Socket, answer: Answering): void {
  let pending = '';
  let count = 0;
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    pending += chunk.toString('latin1');
    for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
      pending = pending.slice(end + 4);
      count += 1;
      answer(socket, count);
    }
  });
}

async function started(server: net.Server, host = '127.0.0.1', port = 0): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    open: () => sockets.size,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
