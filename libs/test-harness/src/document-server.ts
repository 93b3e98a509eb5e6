import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves documents over HTTP on this machine, by path. */
export class DocumentServer {
  /** The requested paths, in order. */
  readonly requestedPaths: string[] = [];
  private readonly handlers = new Map<string, RequestListener>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<DocumentServer> {
    const server = createServer();
    const documents = new DocumentServer(server);
    server.on('request', (request, response) => {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname;
      documents.requestedPaths.push(path);
      const handler = documents.handlers.get(path);
      if (handler) void handler(request, response);
      else response.writeHead(404).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return documents;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** @returns the URL of the path */
  on(path: string, handler: RequestListener): string {
    this.handlers.set(path, handler);
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** @returns the URL of the path */
  serve(path: string, bytes: Buffer | string, headers: Readonly<Record<string, string>> = {}): string {
    return this.on(path, (_, response) => void response.writeHead(200, headers).end(bytes));
  }

  redirect(path: string, location: string): string {
    return this.on(path, (_, response) => void response.writeHead(302, { location }).end());
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
