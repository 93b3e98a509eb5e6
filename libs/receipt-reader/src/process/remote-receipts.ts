import net from 'node:net';
import { serialize } from 'node:v8';
import { checkedAnswer, checkedPart } from './checked-answer';
import { receiveFrame, sendFrame } from './frames';
import type { ReadAnswer } from './protocol';
import type { ReceiptDocument, ReceiptSource } from './receipt-source';
import { ReaderLost } from './reader-lost';
import type { Ask, Reply } from './reader-server';

const REPLY_BYTES_MAX = 8 * 1024 * 1024;

/** Reads receipts through another container. The only connection to it is a Unix domain socket. */
export class RemoteReceipts implements ReceiptSource {
  private readonly open = new Set<net.Socket>();
  private stopped = false;
  private lastHeldBack: readonly number[] = [];

  /**
   * @param replyTimeoutMs the longest time of a document in the reader, with the documents of other owners before it. A
   *   reader without a reply for this long is stuck.
   */
  constructor(
    private readonly socketPath: string,
    private readonly replyTimeoutMs: number,
  ) {}

  async read({ signal, ...document }: ReceiptDocument): Promise<ReadAnswer> {
    if (this.stopped) throw new ReaderLost('stopped', '');
    if (signal?.aborted) throw new ReaderLost('withdrawn', '');
    const frame = await this.ask(document, signal).catch((error: unknown) => {
      if (signal?.aborted) throw new ReaderLost('withdrawn', '');
      if (this.stopped) throw new ReaderLost('stopped', '');
      // The reader tells of a process that a document has ended. If it does not reply at all, it was ended itself, and
      // with it the documents of others.
      throw new ReaderLost(isAway(error) ? 'away' : 'stalled', `${this.socketPath}: ${String(error)}`);
    });
    const reply = parsed(frame);
    if (!reply) throw new ReaderLost('crash', 'the reply was not JSON');
    this.lastHeldBack = ownersIn(reply.heldBack);
    if ('lost' in reply) throw new ReaderLost(reply.lost, reply.told, checkedPart(reply.part) ?? undefined);
    const answer = checkedAnswer(reply.answer);
    if (!answer || (document.recognise && answer.kind === 'needs-recognition'))
      throw new ReaderLost('crash', 'the reply was invalid');
    return answer;
  }

  /** The value that the other container sent with its last reply. */
  heldBack(): readonly number[] {
    return this.lastHeldBack;
  }

  stop(): void {
    this.stopped = true;
    for (const socket of this.open) socket.destroy();
  }

  private async ask(document: ReceiptDocument, signal: AbortSignal | undefined): Promise<Buffer> {
    const socket = net.connect({ path: this.socketPath, allowHalfOpen: true });
    const withdraw = () => socket.destroy();
    this.open.add(socket);
    signal?.addEventListener('abort', withdraw, { once: true });
    socket.setTimeout(this.replyTimeoutMs, () => socket.destroy(new Error('no answer')));
    try {
      const asked: Ask = { ...document, staysOpen: true };
      sendFrame(socket, serialize(asked));
      return await receiveFrame(socket, REPLY_BYTES_MAX);
    } finally {
      signal?.removeEventListener('abort', withdraw);
      this.open.delete(socket);
      socket.destroy();
    }
  }
}

/** The reader may be compromised and send anything. JSON yields only data, and the caller validates it. */
function parsed(frame: Buffer): Reply | null {
  try {
    return JSON.parse(frame.toString('utf8')) as Reply;
  } catch {
    return null;
  }
}

/** True if no connection was made, so that the document cannot be the cause. */
function isAway(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall === 'connect';
}

function ownersIn(said: unknown): readonly number[] {
  return Array.isArray(said) ? said.filter((owner): owner is number => Number.isSafeInteger(owner)) : [];
}
