import fs from 'node:fs';
import net from 'node:net';
import { deserialize } from 'node:v8';
import { receiveFrame, sendFrame } from './frames';
import type { ReadAnswer } from './protocol';
import type { ReceiptDocument, ReceiptSource } from './receipt-source';
import { type ReaderLoss, ReaderLost } from './reader-process';

/** A file of the largest size that can be uploaded, and room for what stands beside it. */
const REQUEST_BYTES_MAX = 64 * 1024 * 1024;

type Outcome = { readonly answer: ReadAnswer } | { readonly lost: ReaderLoss; readonly told: string };

/** The answer to the other side, in JSON. */
export type Reply = Outcome & {
  /** As `ReceiptSource.heldBack` has it, after this document. */
  readonly heldBack: readonly number[];
};

/**
 * Answers workers that connect to a socket of the file system, one document a connection. Only who may write to the
 * socket's file can connect; its folder is shared with the workers alone.
 */
export async function serveReceipts(socketPath: string, source: ReceiptSource): Promise<net.Server> {
  // A process that was killed leaves its socket, to which nobody can connect any more.
  fs.rmSync(socketPath, { force: true });
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    replyTo(socket, source).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  fs.chmodSync(socketPath, 0o660);
  return server;
}

/** A worker of the version before does not say whether the document is to be recognised, and counts on both. */
async function readWhole(document: ReceiptDocument, source: ReceiptSource): Promise<ReadAnswer> {
  const answer = await source.read(document);
  const countsOnBoth = (document as Partial<ReceiptDocument>).recognise === undefined;
  return countsOnBoth && answer.kind === 'needs-recognition'
    ? source.read({ ...document, recognise: true })
    : answer;
}

async function replyTo(socket: net.Socket, source: ReceiptSource): Promise<void> {
  const document = deserialize(await receiveFrame(socket, REQUEST_BYTES_MAX)) as ReceiptDocument;
  const abandoned = new AbortController();
  socket.once('close', () => abandoned.abort());
  const outcome: Outcome = await readWhole({ ...document, signal: abandoned.signal }, source).then(
    (answer) => ({ answer }),
    (error: unknown) => {
      if (error instanceof ReaderLost) return { lost: error.loss, told: error.told };
      throw error;
    },
  );
  const reply: Reply = { ...outcome, heldBack: source.heldBack() };
  sendFrame(socket, Buffer.from(JSON.stringify(reply)));
}
