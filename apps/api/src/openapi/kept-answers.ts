import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { FastifyReply, FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify';

interface KeptAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Paths that the framework answers the first time. That answer is then kept. */
const WRITTEN = new Set(['/openapi.json', '/openapi.yaml', '/docs/swagger-ui-init.js']);

/** The files that the page at /docs loads. */
const FILES = new Map([
  ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
  ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['/docs/swagger-ui-standalone-preset.js', 'text/javascript; charset=utf-8'],
  ['/docs/favicon-16x16.png', 'image/png'],
  ['/docs/favicon-32x32.png', 'image/png'],
]);

/**
 * Keeps answers that need no key and never change while the process runs. Otherwise, callers without a key could keep
 * the event loop busy with building them, or use up file descriptors and buffers with pipelined requests.
 */
export class KeptAnswers {
  private readonly answers = new Map<string, KeptAnswer>();

  readonly repeat: onRequestHookHandler = (request, reply, done) => {
    const answer = this.answerAt(pathOf(request));
    if (!answer) return done();
    const { headers, bytes } = answer;
    void reply.headers(headers);
    if (headers['etag'] === request.headers['if-none-match']) void reply.code(304).send();
    else void reply.send(bytes);
  };

  readonly keep: onSendHookHandler = (request, reply, payload, done) => {
    const at = pathOf(request);
    if (WRITTEN.has(at) && !this.answers.has(at) && isWhole(reply) && typeof payload === 'string') {
      this.answers.set(at, keptAnswer(String(reply.getHeader('content-type')), Buffer.from(payload)));
    }
    done(null, payload);
  };

  /** Reads a file at the first request for it, not at the start of the process. */
  private answerAt(at: string): KeptAnswer | undefined {
    const known = this.answers.get(at);
    const file = known ?? fileAt(at);
    if (file && !known) this.answers.set(at, file);
    return file;
  }
}

const isWhole = ({ statusCode, request }: FastifyReply): boolean =>
  statusCode === 200 && request.method === 'GET';

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? url;

function fileAt(at: string): KeptAnswer | undefined {
  const type = FILES.get(at);
  if (type === undefined) return undefined;
  const folder = path.dirname(require.resolve('swagger-ui-dist/package.json'));
  return keptAnswer(type, fs.readFileSync(path.join(folder, path.basename(at))));
}

/** Browsers may keep the answer, and validate it before each use. */
function keptAnswer(type: string, bytes: Buffer): KeptAnswer {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  return { headers: { 'content-type': type, 'cache-control': 'no-cache', etag }, bytes };
}
