import { createServer, type Server } from 'node:https';
import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { generate } from 'selfsigned';

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
  readonly received: readonly ReceivedEvent[];
  /** What to answer from now on; 200 until it is set. */
  answerWith(answer: (event: ReceivedEvent, response: ServerResponse) => void): void;
  close(): Promise<void>;
}

export async function startEventReceiver(): Promise<EventReceiver> {
  const { cert, private: key } = await selfSigned();
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
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-receiver-'));
  const certificateFile = path.join(folder, 'certificate.pem');
  fs.writeFileSync(certificateFile, cert);
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/hook`,
    port,
    certificateFile,
    received,
    answerWith: (next) => {
      answer = next;
    },
    close: () => closeServer(server, folder),
  };
}

async function closeServer(server: Server, folder: string): Promise<void> {
  // First, as a server that will not close must not keep it.
  fs.rmSync(folder, { recursive: true, force: true });
  const closed = once(server, 'close');
  server.close();
  // Only now: a sender could open another one before the server takes no more.
  server.closeAllConnections();
  await closed;
}

function selfSigned() {
  return generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
}
