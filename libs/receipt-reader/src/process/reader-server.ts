import fs from 'node:fs';
import net from 'node:net';
import { deserialize } from 'node:v8';
import { receiveFrame, sendFrame } from './frames';
import type { PartAnswer, ReadAnswer } from './protocol';
import type { ReceiptDocument, ReceiptSource } from './receipt-source';
import { type ReaderLoss, ReaderLost } from './reader-lost';

/** The maximum upload size plus the request fields. */
const REQUEST_BYTES_MAX = 64 * 1024 * 1024;

/** A document as a worker sends it. */
export type Ask = Omit<ReceiptDocument, 'signal'> & {
  /**
   * The worker ends the connection only to withdraw the document. Workers of the previous version end their side
   * after each document.
   */
  readonly staysOpen: true;
};

type Outcome =
  | { readonly answer: ReadAnswer }
  | { readonly lost: ReaderLoss; readonly told: string; readonly part?: PartAnswer };

/** The answer, sent as JSON. */
export type Reply = Outcome & {
  /** The value of `ReceiptSource.heldBack` after this document. */
  readonly heldBack: readonly number[];
};

/**
 * Serves workers over a Unix domain socket, one document per connection. The permissions of the socket file
 * control access, so its directory must be shared only with workers.
 */
export async function serveReceipts(socketPath: string, source: ReceiptSource): Promise<net.Server> {
  // A process that was killed leaves its socket file behind. Nothing listens on it any more.
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

/** Workers of the previous version do not send `recognise` and expect both steps. */
async function readWhole(document: ReceiptDocument, source: ReceiptSource): Promise<ReadAnswer> {
  const answer = await source.read(document);
  const countsOnBoth = (document as Partial<ReceiptDocument>).recognise === undefined;
  return countsOnBoth && answer.kind === 'needs-recognition'
    ? source.read({ ...document, recognise: true })
    : answer;
}

async function replyTo(socket: net.Socket, source: ReceiptSource): Promise<void> {
  const ask = deserialize(await receiveFrame(socket, REQUEST_BYTES_MAX)) as ReceiptDocument & Partial<Ask>;
  const { staysOpen = false, ...document } = ask;
  const abandoned = new AbortController();
  if (staysOpen) socket.once('end', () => socket.destroy());
  socket.once('close', () => abandoned.abort());
  const outcome: Outcome = await readWhole({ ...document, signal: abandoned.signal }, source).then(
    (answer) => ({ answer }),
    (error: unknown) => {
      if (!(error instanceof ReaderLost)) throw error;
      const { loss, told, part } = error;
      return { lost: loss, told, ...(part && { part }) };
    },
  );
  const reply: Reply = { ...outcome, heldBack: source.heldBack() };
  sendFrame(socket, Buffer.from(JSON.stringify(reply)));
  socket.end();
}
