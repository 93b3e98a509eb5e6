import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

export type Answerer = (response: ServerResponse, request: ReceivedRequest) => void;

/** A server on this machine that answers as a test wants, and keeps what it received. */
export class AnsweringServer {
  received: ReceivedRequest[] = [];
  private answers: Answerer[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<AnsweringServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const started = new AnsweringServer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const url = new URL(request.url ?? '', started.url);
        started.take(response, {
          ...{ method: request.method ?? '', path: url.pathname, query: url.searchParams },
          ...{
            headers: request.headers,
            body: Buffer.concat(chunks).toString('utf8'),
            at: performance.now(),
          },
        });
      });
    });
    return started;
  }

  /** Answers the next requests in this order; the last answer is repeated. */
  answerWith(...answers: Answerer[]): void {
    this.received = [];
    this.answers = answers;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private take(response: ServerResponse, request: ReceivedRequest): void {
    const answer = this.answers[Math.min(this.received.length, this.answers.length - 1)];
    this.received.push(request);
    if (answer) answer(response, request);
    else response.writeHead(500).end();
  }
}

export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answerer =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));

/** An error of the service. */
export const refusal = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Answerer =>
  json(status, { success: false, code, error: `because of ${code}`, requestId: 'req_1' }, headers);

export const hangUp: Answerer = (response) => void response.destroy();
