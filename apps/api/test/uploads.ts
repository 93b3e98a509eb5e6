import fs from 'node:fs';
import type { Agent } from 'node:http';
import net from 'node:net';
import path from 'node:path';
import type { TestService } from '@counterfoil/test-harness';
import { DEMO_KEY } from '@counterfoil/test-harness';
import { type Answer, exchange } from './http-exchange';

const BOUNDARY = 'a-boundary-of-the-test';
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

export interface FileAnswer {
  readonly id: number;
  readonly fileName: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: string;
  readonly remoteUrl: string;
  readonly createdAt: string;
}

/** Returns one part of a multipart body with its headers. */
export function part(disposition: string | null, content: Buffer | string, more = ''): Buffer {
  const header = disposition === null ? '' : `Content-Disposition: ${disposition}\r\n`;
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\n${header}${more}\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
}

export const END = Buffer.from(`--${BOUNDARY}--\r\n`);

/** Returns a body as browsers send it. */
export function form(content: Buffer | string, fileName = 'receipt.pdf'): Buffer {
  return Buffer.concat([
    part(`form-data; name="file"; filename="${fileName}"`, content, 'Content-Type: application/pdf\r\n'),
    END,
  ]);
}

export interface UploadOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly agent?: Agent;
}

/** Sends a multipart body unchanged. */
export function sendForm(
  url: string,
  body: Buffer,
  { key = DEMO_KEY, headers = {}, ...connection }: UploadOptions = {},
): Promise<Answer> {
  const own = { authorization: `Bearer ${key}`, 'content-type': MULTIPART };
  const sent = { method: 'POST', path: '/files/upload', body, headers: { ...own, ...headers } };
  return exchange(url, { ...sent, ...connection });
}

/** Uploads a file, which must succeed. */
export async function upload(
  url: string,
  content: Buffer | string,
  { fileName, ...options }: UploadOptions & { readonly fileName?: string } = {},
): Promise<FileAnswer> {
  const { status, text } = await sendForm(url, form(content, fileName), options);
  if (status !== 201) throw new Error(`the upload answered ${status}: ${text}`);
  return (JSON.parse(text) as { file: FileAnswer }).file;
}

/** An upload that continues until the test ends it. */
export class SlowUpload {
  private readonly socket: net.Socket;

  /** @param length the announced length of the body */
  constructor(url: string, length: number, key = DEMO_KEY) {
    const { hostname, port } = new URL(url);
    this.socket = net.connect({ host: hostname, port: Number(port) });
    this.socket.on('error', () => undefined);
    this.socket.write(
      [
        'POST /files/upload HTTP/1.1',
        `Host: ${hostname}:${port}`,
        `Authorization: Bearer ${key}`,
        `Content-Type: ${MULTIPART}`,
        `Content-Length: ${length}`,
        '',
        '',
      ].join('\r\n'),
    );
  }

  send(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => this.socket.write(bytes, () => resolve()));
  }

  /** Returns the answer so far. */
  answer(): Promise<string> {
    return new Promise((resolve) => this.socket.once('data', (bytes: Buffer) => resolve(bytes.toString())));
  }

  /** Breaks the connection. */
  hangUp(): void {
    this.socket.resetAndDestroy();
  }
}

/** Returns every file in which the service stores uploaded bytes, finished or not. */
export function storedIn({ dataDir }: Pick<TestService, 'dataDir'>): string[] {
  const folder = path.join(dataDir, 'files');
  if (!fs.existsSync(folder)) return [];
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

/** Measures the memory of the API from now on. */
export class MemoryWatch {
  private readonly before: number;
  private most: number;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly pid: number) {
    this.before = this.most = this.now();
    this.timer = setInterval(() => (this.most = Math.max(this.most, this.now())), 20);
  }

  /** Returns the largest growth in MiB, and ends the measurement. */
  grownMib(): number {
    clearInterval(this.timer);
    return Math.round(Math.max(this.most, this.now()) - this.before);
  }

  /** Returns Infinity if the process is gone, possibly because it ran out of memory. */
  private now(): number {
    const file = `/proc/${this.pid}/status`;
    if (!fs.existsSync(file)) return Infinity;
    const status = fs.readFileSync(file, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  }
}
