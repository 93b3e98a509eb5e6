import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Config } from '@counterfoil/config';

type Answer = (response: http.ServerResponse, request: http.IncomingMessage) => unknown;

/** A fake S3 endpoint. It reads each request to its end and then answers as the test sets; by default never. */
export class StandInStore {
  /** The method and the body size of each request. */
  readonly asked: { readonly method: string; readonly bytes: number }[] = [];
  private answer: Answer = () => undefined;
  private readonly server = http.createServer((request, response) => {
    let bytes = 0;
    request.on('data', (piece: Buffer) => (bytes += piece.length));
    request.on('end', () => {
      this.asked.push({ method: request.method!, bytes });
      this.answer(response, request);
    });
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  answers(answer: Answer): void {
    this.answer = answer;
  }

  askedBy(method: string): number {
    return this.asked.filter((one) => one.method === method).length;
  }

  get config(): S3Config {
    return {
      bucket: 'receipts',
      endpoint: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
      forcePathStyle: true,
      prefix: '',
    };
  }
}

/** Answers like S3 when it refuses a request. */
export function refuse(response: http.ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>No</Message></Error>`,
  );
}
