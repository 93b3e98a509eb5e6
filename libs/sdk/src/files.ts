import { filledPath } from './path.ts';
import type { CallOptions } from './request.ts';
import type { AnswerOf, Id } from './route.ts';
import type { Transport } from './transport.ts';

/** A path (in Node), the bytes, or a stream of them. A stream is read into memory, so that it can be sent again. */
export type UploadSource =
  string | URL | Blob | Uint8Array | ArrayBuffer | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export interface UploadOptions extends CallOptions {
  /** Default: the name of the file or of the `File`, else `file`. */
  readonly filename?: string | undefined;
}

/** The calls of files that are not JSON. */
export interface FileTransfers {
  /** Uploads a file of any type, up to 25 MiB. */
  upload(source: UploadSource, options?: UploadOptions): Promise<AnswerOf<'POST /files/upload'>>;
  /** Reads the bytes of a file, with its type. */
  content(id: Id, options?: CallOptions): Promise<Blob>;
}

export function fileTransfers(transport: Transport): FileTransfers {
  return {
    upload: async (source, { filename, ...options } = {}) => {
      const body = new FormData();
      const { signal } = options;
      body.append('file', await unlessAborted(signal, blobOf(source)), filename ?? nameOf(source));
      const request = { method: 'POST', path: '/files/upload', body } as const;
      const answer = await transport.send({ ...request, repetition: 'keyed', answer: 'json' }, options);
      return answer as AnswerOf<'POST /files/upload'>;
    },
    content: async (id, options) => {
      const request = { method: 'GET', path: filledPath('/files/{id}/content', [id]) } as const;
      const answer = await transport.send({ ...request, repetition: 'safely', answer: 'blob' }, options);
      return answer as Blob;
    },
  };
}

/** A stream may hang, so its reading ends with the signal too. */
function unlessAborted<Value>(signal: AbortSignal | undefined, value: Promise<Value>): Promise<Value> {
  if (!signal) return value;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    void value.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Browsers take no shared memory; a caller that passes it gets their error. */
type Bytes = Uint8Array<ArrayBuffer>;

async function blobOf(source: UploadSource): Promise<Blob> {
  if (source instanceof Blob) return source;
  if (typeof source === 'string' || source instanceof URL) return new Blob([await bytesAt(source)]);
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return joined([source as Bytes]);
  if (source instanceof ReadableStream) return new Response(source).blob();
  if (typeof source?.[Symbol.asyncIterator] !== 'function')
    throw new TypeError('a file must be a path, a Blob, bytes or a stream of bytes');
  const pieces: Bytes[] = [];
  for await (const piece of source) pieces.push(piece as Bytes);
  return joined(pieces);
}

const joined = (pieces: Bytes[]): Blob => new Blob(pieces);

/** Asks for the module at run time, because browsers have none and bundlers would look for it. */
async function bytesAt(path: string | URL): Promise<Bytes> {
  const files = globalThis.process?.getBuiltinModule?.('node:fs/promises');
  if (!files) throw new TypeError('only Node can read a path: pass a Blob or a stream');
  return files.readFile(path);
}

function nameOf(source: UploadSource): string {
  if (source instanceof URL) return nameOf(decodeURIComponent(source.pathname));
  if (typeof source === 'string') return source.split(/[\\/]/).at(-1) || 'file';
  return 'name' in source && typeof source.name === 'string' && source.name !== '' ? source.name : 'file';
}
