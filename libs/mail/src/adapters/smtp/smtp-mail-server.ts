import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { SmtpConfig } from '@counterfoil/config';
import type { Log } from '@counterfoil/observability';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type HandOver, type MailMessage, MailServer } from '../../application/ports/mail-server';
import type { MailOutcome } from '../../domain/mail';
import { buildMessage } from './build-message';
import { failure, loggable, outcomeOf, type SmtpError, wordsOf } from './smtp-outcome';

/** In milliseconds. */
export interface SmtpLimits {
  readonly connecting: number;
  /** Until all but the last byte has left the process. */
  readonly sending: number;
  /** For the answer to the last byte. RFC 5321 recommends ten minutes. */
  readonly accepting: number;
}

const LIMITS: SmtpLimits = { connecting: 15_000, sending: 60_000, accepting: 600_000 };
/** The connection takes the next piece when it has sent the last one. */
const PIECE_BYTES = 16_384;

const FLUSH_PAUSE_MS = 5;

interface Transfer {
  readonly recipient: string;
  readonly content: Buffer;
  /** Notes that the last byte is sent now. @throws SmtpError if it must not be */
  readonly handOver: () => Promise<void>;
}

/** Hands mails over by SMTP, with one connection for each. */
export class SmtpMailServer extends MailServer {
  override readonly isConfigured = true;

  constructor(
    private readonly settings: SmtpConfig,
    private readonly log: Pick<Log, 'warn'>,
    private readonly limits = LIMITS,
  ) {
    super();
  }

  override async deliver(message: MailMessage, { begin, signal }: HandOver): Promise<MailOutcome> {
    const limit = new TimeLimit(this.limits, signal);
    const handOver = async () => {
      const isOurs = await begin().catch(() => false);
      if (!isOurs) throw failure('ENOTBEGUN', 'the hand-over was not recorded');
      limit.handOver();
    };
    try {
      const content = await buildMessage(message, this.settings.from);
      const response = await this.send({ recipient: message.recipient, content, handOver }, limit.signal);
      if (!limit.isHandedOver)
        throw failure('EPROTOCOL', 'the mail server answered before the message ended');
      return { kind: 'accepted', response: wordsOf(response) };
    } catch (error) {
      const { isHandedOver } = limit;
      const fields = { ...loggable(error as SmtpError), mailId: message.id, isHandedOver };
      this.log.warn(fields, 'a mail was not accepted');
      return outcomeOf(error as SmtpError, isHandedOver);
    } finally {
      limit.end();
    }
  }

  private async send(transfer: Transfer, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const connection = this.connection();
    const broken = new Promise<never>((_, reject) => {
      connection.on('error', reject);
      // An answer that arrived together with the end counts, so it is read first.
      const lost = () => reject(failure('ECLOSED', 'the mail server closed the connection'));
      connection.once('end', () => setImmediate(lost));
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    try {
      return await Promise.race([this.converse(connection, transfer), broken]);
    } finally {
      connection.close();
    }
  }

  private connection(): SMTPConnection {
    const { host, port, tls } = this.settings;
    const { connecting, accepting } = this.limits;
    return new SMTPConnection({
      ...{
        host,
        port,
        secure: tls === 'implicit',
        requireTLS: tls === 'required',
        ignoreTLS: tls === 'none',
      },
      ...{ connectionTimeout: connecting, greetingTimeout: connecting, dnsTimeout: connecting },
      socketTimeout: accepting,
    });
  }

  private async converse(connection: SMTPConnection, transfer: Transfer): Promise<string> {
    const { credentials, from } = this.settings;
    await promisify(connection.connect.bind(connection))();
    if (credentials) await promisify(connection.login.bind(connection))(credentials);
    const { recipient, content } = transfer;
    const envelope = { from, to: recipient, size: content.length };
    const send = promisify(connection.send.bind(connection));
    const { response } = await send(
      envelope,
      Readable.from(piecesOf(connection, transfer), { objectMode: false }),
    );
    return response;
  }
}

/** Yields the last byte only after the hand-over. Without it, the server never gets the end of the message. */
async function* piecesOf(
  connection: SMTPConnection,
  { content, handOver }: Transfer,
): AsyncGenerator<Buffer> {
  const last = content.length - 1;
  for (let at = 0; at < last; at += PIECE_BYTES) yield content.subarray(at, Math.min(at + PIECE_BYTES, last));
  // A server that does not read has not got the message.
  while (connection._socket && connection._socket.writableLength > 0) await sleep(FLUSH_PAUSE_MS);
  await handOver();
  yield content.subarray(last);
}

/** Aborts an attempt that takes too long, or until the hand-over with another signal. */
class TimeLimit {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout;
  isHandedOver = false;

  constructor(
    private readonly limits: SmtpLimits,
    private readonly other: AbortSignal,
  ) {
    this.timer = this.abortAfter(limits.sending);
    if (other.aborted) this.stop();
    else other.addEventListener('abort', this.stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** From now on, only the answer of the server is waited for. */
  handOver(): void {
    this.end();
    this.isHandedOver = true;
    this.timer = this.abortAfter(this.limits.accepting);
  }

  end(): void {
    clearTimeout(this.timer);
    this.other.removeEventListener('abort', this.stop);
  }

  private readonly stop = () => this.controller.abort(failure('ESTOPPED', 'the worker is stopping'));

  private abortAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.controller.abort(failure('ETIMEDOUT', 'the mail server was too slow')), ms);
  }
}
