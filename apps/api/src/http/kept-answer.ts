import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { heavyTurn } from '@counterfoil/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from './accepted-coding';
import { PUBLIC } from './route.decorators';
import type { Headers } from './security-headers';

/** Content that everybody gets, and that never changes while the process runs. */
export interface FixedContent {
  readonly type: string;
  readonly content: string | Buffer;
}

interface Representation {
  readonly etag: string;
  readonly bytes: Buffer;
}

interface Kept {
  readonly type: string;
  /** Identifies the content in the URL. */
  readonly version: string;
  readonly plain: Representation;
  readonly compressed: Representation;
}

const YEAR_S = 365 * 24 * 60 * 60;
const compress = promisify(gzip);

/**
 * Keeps an answer that needs no key, plain and compressed. Otherwise, callers without a key could keep the event loop
 * busy with building it, or use up file descriptors and buffers with pipelined requests.
 */
export class KeptAnswer {
  private kept: Promise<Kept> | undefined;

  /** @param make builds the content at the first request for it, so that it does not delay the start of the process */
  constructor(private readonly make: () => FixedContent | Promise<FixedContent>) {}

  /** Serves the content at a path, with these headers besides its own. */
  serve(server: FastifyInstance, path: string, headers: Headers = {}): void {
    const onRequest = async (request: FastifyRequest) => {
      await this.load();
      await takeTurn(request);
    };
    server.get(path, { config: { access: PUBLIC, headers }, onRequest }, (request, reply) =>
      this.answer(request, reply),
    );
  }

  /** A part of the URL that changes with the content. */
  async version(): Promise<string> {
    return (await this.load()).version;
  }

  /** @returns the reply, as Fastify expects of an asynchronous handler */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { type, version, plain, compressed } = await this.load();
    const isCompressed = acceptsGzip(request.headers['accept-encoding']);
    const { etag, bytes } = isCompressed ? compressed : plain;
    const isVersioned = (request.query as { readonly v?: unknown }).v === version;
    void reply.headers({
      // Without the version in its URL, browsers may keep the answer and validate it before each use.
      'cache-control': isVersioned ? `public, max-age=${YEAR_S}, immutable` : 'no-cache',
      'content-type': type,
      etag,
      vary: 'accept-encoding',
    });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    if (isCompressed) void reply.header('content-encoding', 'gzip');
    return reply.send(bytes);
  }

  private load(): Promise<Kept> {
    this.kept ??= keep(this.make).catch((error: unknown) => {
      this.kept = undefined;
      throw error;
    });
    return this.kept;
  }
}

async function keep(make: () => FixedContent | Promise<FixedContent>): Promise<Kept> {
  const { type, content } = await make();
  const bytes = Buffer.from(content);
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const compressed = await compress(bytes);
  return {
    type,
    version,
    plain: { etag: `"${version}"`, bytes },
    compressed: { etag: `"${version}-gzip"`, bytes: compressed },
  };
}

/**
 * Waits for a turn in which one answer to a caller without a key is sent. Node accepts one new connection in each
 * iteration of the event loop, so callers that pipeline many requests could make the iterations long, and delay everyone
 * who connects. Call this when the content is there: requests that have waited for the same content would otherwise all
 * be answered in one iteration.
 */
export const takeTurn = ({ raw }: FastifyRequest): Promise<void> =>
  heavyTurn(null, () => raw.socket.destroyed);
