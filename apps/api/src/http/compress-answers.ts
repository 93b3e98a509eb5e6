import { pipeline, Readable } from 'node:stream';
import { createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from './accepted-coding';

const JSON_TYPE = /^application\/json\b/;

/**
 * Compresses answers of JSON from a size on, for callers that accept gzip. A long list is compressed while it is
 * streamed. Event streams and files are sent as they are: an event must not wait for the next one, and the most files
 * are compressed already.
 */
export function compressAnswers(server: FastifyInstance, fromBytes: number): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(request, reply, payload, fromBytes)) return done(null, payload);
    void reply.header('vary', withCoding(reply));
    if (!acceptsGzip(request.headers['accept-encoding'])) return done(null, payload);
    void reply.header('content-encoding', 'gzip').removeHeader('content-length');
    if (payload instanceof Readable) return done(null, compressed(payload));
    gzip(payload as string | Buffer, (error, bytes) => (error ? done(error) : done(null, bytes)));
  });
}

function isCompressible(
  { method, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  fromBytes: number,
): boolean {
  // A file may contain JSON.
  if (method === 'HEAD' || routeOptions.config.openedByFileLink || reply.hasHeader('content-encoding'))
    return false;
  if (!JSON_TYPE.test(String(reply.getHeader('content-type') ?? ''))) return false;
  // Only long lists are streamed.
  if (payload instanceof Readable) return true;
  return (typeof payload === 'string' || Buffer.isBuffer(payload)) && Buffer.byteLength(payload) >= fromBytes;
}

function compressed(content: Readable): Readable {
  // The end of either stream ends the other. An error of the content reaches the caller as a broken connection.
  return pipeline(content, createGzip(), () => undefined);
}

function withCoding(reply: FastifyReply): string {
  const others = [reply.getHeader('vary') ?? []].flat();
  return [...others, 'accept-encoding'].join(', ');
}
