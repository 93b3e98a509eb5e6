import type { Config } from '@counterfoil/config';
import { AppError, markup } from '@counterfoil/kernel';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Addresses, bar, BAR_STYLE, page } from '../docs/page-frame';
import { acceptsBrotli, acceptsGzip } from '../http/accepted-coding';
import { takeTurn } from '../http/kept-answer';
import { PUBLIC } from '../http/route.decorators';
import { CONSOLE_HEADERS, pageHeaders } from '../http/security-headers';
import { type ConsoleFile, ConsoleFiles } from './console-files';

const ASSETS = '/console/assets/';
const HTML = 'text/html; charset=utf-8';
const YEAR_S = 365 * 24 * 60 * 60;
const RETRY_S = 3;

interface FileParams {
  readonly name: string;
}

/** Serves the console: its page at every address below `/console`, and its files. None needs a key; what they show does. */
export function serveConsole(app: NestFastifyApplication, config: Config): void {
  if (!config.console.isServed) return;
  const server: FastifyInstance = app.getHttpAdapter().getInstance();
  const addresses = new Addresses(config.publicUrl);
  const files = new ConsoleFiles();
  const unbuilt = unbuiltPage(addresses);
  const onRequest = async (request: FastifyRequest) => {
    await files.load();
    await takeTurn(request);
  };
  // A file of an earlier build is in memory, and is served even if the present build cannot be read.
  const onRequestOfFile = async (request: FastifyRequest) => {
    if (files.file((request.params as FileParams).name) === null) await files.load();
    await takeTurn(request);
  };
  const options = { config: { access: PUBLIC }, onRequest } as const;
  const fileOptions = { config: { access: PUBLIC }, onRequest: onRequestOfFile } as const;
  const servePage = (_request: FastifyRequest, reply: FastifyReply) => {
    const found = files.page();
    if (found === null)
      return reply
        .code(503)
        .headers({ ...UNBUILT_HEADERS, 'retry-after': String(RETRY_S) })
        .send(unbuilt);
    const html = found.replaceAll(`"${ASSETS}`, `"${addresses.of(ASSETS)}`);
    return reply.headers(CONSOLE_HEADERS).header('cache-control', 'no-cache').type(HTML).send(html);
  };
  server.get('/console', options, servePage);
  server.get('/console/*', options, servePage);
  server.get<{ Params: FileParams }>(`${ASSETS}:name`, fileOptions, (request, reply) => {
    const file = files.file(request.params.name);
    if (file === null) throw new AppError('NOT_FOUND', 'the console has no such file');
    return sendFile(request, reply, file);
  });
}

function sendFile({ headers }: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  const accepted = headers['accept-encoding'];
  void reply.headers({
    // The name contains the hash of the content.
    'cache-control': `public, max-age=${YEAR_S}, immutable`,
    'content-type': file.type,
    vary: 'accept-encoding',
  });
  if (acceptsBrotli(accepted)) return reply.header('content-encoding', 'br').send(file.brotli);
  if (acceptsGzip(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.send(file.plain);
}

const UNBUILT_STYLE = markup`${BAR_STYLE}
main { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; }
`;
const UNBUILT_HEADERS = pageHeaders({ style: UNBUILT_STYLE, images: ['data:'] });

function unbuiltPage(addresses: Addresses): string {
  return page({
    title: 'Console · Counterfoil',
    style: UNBUILT_STYLE,
    head: markup`<meta http-equiv="refresh" content="${String(RETRY_S)}">`,
    body: [
      bar(addresses, '/console'),
      markup`<main><h1>The console is being built</h1>
<p>It is built once, after the service has started. This page looks again every few seconds. To build it by hand: <code>npm run build:console</code></p></main>`,
    ],
  });
}
