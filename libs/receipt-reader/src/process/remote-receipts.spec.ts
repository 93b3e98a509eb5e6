import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { serialize } from 'node:v8';
import { receiveFrame, sendFrame } from './frames';
import type { PartAnswer, ReadAnswer } from './protocol';
import { ReaderLost } from './reader-lost';
import { serveReceipts } from './reader-server';
import type { ReceiptDocument, ReceiptSource } from './receipt-source';
import { RemoteReceipts } from './remote-receipts';

const DOCUMENT: ReceiptDocument = {
  ...{ owner: 1, bytes: Buffer.alloc(300_000, 'a'), declaredKind: null, today: '2026-11-25' },
  ...{ recognise: true, withText: false },
};
const PART: PartAnswer = {
  kind: 'read',
  reading: { fields: { total: 12 }, confidence: { total: 1 }, source: 'ocr', pages: 1, pageCount: 3 },
  text: 'Total 12',
};
const ANSWER: ReadAnswer = { kind: 'failed', message: 'a fault' };

const REPLY_TIMEOUT_MS = 60_000;

describe('a reader in another container', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reader-socket-'));
  const socketPath = path.join(folder, 'reader.sock');
  const asked: ReceiptDocument[] = [];
  let read: (document: ReceiptDocument) => Promise<ReadAnswer>;
  let server: net.Server;
  let receipts: RemoteReceipts;

  beforeAll(async () => {
    const source: ReceiptSource = {
      read: (document) => {
        asked.push(document);
        return read(document);
      },
      heldBack: () => [7],
      stop: () => undefined,
    };
    server = await serveReceipts(socketPath, source);
    receipts = new RemoteReceipts(socketPath, REPLY_TIMEOUT_MS);
  });
  beforeEach(() => void asked.splice(0));
  afterAll(async () => {
    receipts.stop();
    server.close();
    await once(server, 'close');
    fs.rmSync(folder, { recursive: true });
  });

  it('withdraws a document as soon as its caller does', async () => {
    const isWithdrawn = new Promise<void>((resolve) => {
      read = ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => {
            resolve();
            reject(new Error('withdrawn'));
          });
          caller.abort();
        });
    });
    const caller = new AbortController();
    await expect(receipts.read({ ...DOCUMENT, signal: caller.signal })).rejects.toMatchObject({
      loss: 'withdrawn',
    });
    await isWithdrawn;
  });

  it.each([
    ['as far as it was read', PART, PART],
    ['without a part that is invalid', { ...PART, reading: null }, undefined],
  ])('reports a lost document %s', async (_, sent, part) => {
    read = () => Promise.reject(new ReaderLost('crash', 'out of memory', sent as PartAnswer));
    await expect(receipts.read(DOCUMENT)).rejects.toMatchObject({
      loss: 'crash',
      told: 'out of memory',
      part,
    });
  });

  it('does not take the end of the reader for a fault of the document', async () => {
    const ended = path.join(folder, 'ended.sock');
    const endsAtOnce = net.createServer((socket) => void socket.once('data', () => socket.destroy()));
    endsAtOnce.listen(ended);
    await once(endsAtOnce, 'listening');
    const reading = new RemoteReceipts(ended, REPLY_TIMEOUT_MS).read(DOCUMENT);
    await expect(reading).rejects.toMatchObject({ loss: 'stalled', told: expect.stringContaining(ended) });
    endsAtOnce.close();
    await expect(new RemoteReceipts(ended, REPLY_TIMEOUT_MS).read(DOCUMENT)).rejects.toMatchObject({
      loss: 'away',
    });
  });

  it('is stuck if it does not reply in time', async () => {
    read = () => new Promise(() => undefined);
    const impatient = new RemoteReceipts(socketPath, 50);
    await expect(impatient.read(DOCUMENT)).rejects.toMatchObject({ loss: 'stalled' });
  });

  it('answers workers of the previous version, which end their side of the connection', async () => {
    read = ({ signal }) =>
      new Promise((resolve) =>
        setTimeout(() => resolve(signal?.aborted ? { kind: 'needs-recognition' } : ANSWER), 50),
      );
    const socket = net.connect({ path: socketPath, allowHalfOpen: true });
    sendFrame(socket, serialize(DOCUMENT));
    socket.end();
    const reply: unknown = JSON.parse((await receiveFrame(socket, 1_000)).toString());
    expect(reply).toEqual({ answer: ANSWER, heldBack: [7] });
    expect(asked).toMatchObject([{ owner: 1, today: DOCUMENT.today, recognise: true }]);
    socket.destroy();
  });
});
