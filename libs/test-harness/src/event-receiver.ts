import { createServer, type Server } from 'node:https';
import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type SelfSigned, trustedCertificate } from './self-signed';

export interface ReceivedEvent {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The exact bytes, as text. */
  readonly body: string;
  readonly at: number;
}

/** A real HTTPS endpoint on this machine. */
export interface EventReceiver {
  readonly url: string;
  readonly port: number;
  /** The certificate that a sender must trust: for `NODE_EXTRA_CA_CERTS`. */
  readonly certificateFile: string;
  /** The settings of a service that may send to it. */
  readonly settings: Readonly<Record<'NODE_EXTRA_CA_CERTS' | 'OUTBOUND_ALLOWED_CIDRS', string>>;
  readonly received: readonly ReceivedEvent[];
  /** Sets how to answer from now on. Default: 200. */
  answerWith(answer: (event: ReceivedEvent, response: ServerResponse) => void): void;
  close(): Promise<void>;
}

/** @param certificate by default the one that the service trusts with the receiver's settings */
export async function startEventReceiver(certificate?: SelfSigned): Promise<EventReceiver> {
  const { cert, key, certificateFile, remove } = certificate ?? (await trustedCertificate());
  const received: ReceivedEvent[] = [];
  let answer = (_: ReceivedEvent, response: ServerResponse): void => void response.writeHead(200).end('ok');
  const server = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const event = { path: request.url ?? '', headers: request.headers, body, at: Date.now() };
      received.push(event);
      answer(event, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/hook`,
    port,
    certificateFile,
    settings: {
      NODE_EXTRA_CA_CERTS: certificateFile,
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
    },
    received,
    answerWith: (next) => {
      answer = next;
    },
    close: () => closeServer(server, remove),
  };
}

async function closeServer(server: Server, removeCertificate: () => void): Promise<void> {
  // Remove the file first, even if the server then fails to close.
  removeCertificate();
  const closed = once(server, 'close');
  server.close();
  // Close connections last: before `close`, a sender could open another one.
  server.closeAllConnections();
  await closed;
}
