import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { SmtpConfig } from '@counterfoil/config';
import type { Log } from '@counterfoil/observability';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type HandOver, type MailMessage, MailServer } from '../../application/ports/mail-server';
import type { MailOutcome } from '../../domain/mail';
import { buildMessage } from './build-message';
import { outcomeOf, type SmtpError, wordsOf } from './smtp-outcome';

/** In milliseconds. */
export interface SmtpLimits {
  readonly connecting: number;
  /** Until all but the last byte is sent. */
  readonly sending: number;
  /** For the answer to the last byte. RFC 5321 recommends ten minutes. */
  readonly accepting: number;
}

const LIMITS: SmtpLimits = { connecting: 15_000, sending: 60_000, accepting: 600_000 };
/** The connection takes the next piece when it has sent the last one, so little is under way at the hand-over. */
const PIECE_BYTES = 16_384;

interface Transfer {
  readonly recipient: string;
  readonly content: Buffer;
  /** Asks whether the last byte may be sent, and notes that it is. */
  readonly handOver: () => Promise<boolean>;
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
    const limit = new TimeLimit(this.limits.sending, signal);
    const handOver = async () => {
      const isOurs = await begin();
      if (isOurs) limit.lift();
      return isOurs;
    };
    try {
      const content = await buildMessage(message, this.settings.from);
      const response = await this.send({ recipient: message.recipient, content, handOver }, limit.signal);
      return { kind: 'accepted', response: wordsOf(response) };
    } catch (error) {
      this.log.warn({ error, mailId: message.id, isHandedOver: limit.isLifted }, 'a mail was not accepted');
      return outcomeOf(error as SmtpError, limit.isLifted);
    } finally {
      limit.lift();
    }
  }

  private async send(transfer: Transfer, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const connection = this.connection();
    const broken = new Promise<never>((_, reject) => {
      connection.on('error', reject);
      connection.once('end', () => reject(new Error('the mail server closed the connection')));
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
    const { response } = await send(envelope, Readable.from(piecesOf(transfer), { objectMode: false }));
    return response;
  }
}

/** Yields the last byte only after the hand-over. Without it, the server never gets the end of the message. */
async function* piecesOf({ content, handOver }: Transfer): AsyncGenerator<Buffer> {
  const last = content.length - 1;
  for (let at = 0; at < last; at += PIECE_BYTES) yield content.subarray(at, Math.min(at + PIECE_BYTES, last));
  if (!(await handOver())) throw new Error('another worker sends this mail');
  yield content.subarray(last);
}

/** Aborts after a time, or with another signal, unless it is lifted before. */
class TimeLimit {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  isLifted = false;

  constructor(
    ms: number,
    private readonly other: AbortSignal,
  ) {
    this.timer = setTimeout(() => this.abort('the mail server was too slow'), ms);
    if (other.aborted) this.stop();
    else other.addEventListener('abort', this.stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  lift(): void {
    this.isLifted = true;
    clearTimeout(this.timer);
    this.other.removeEventListener('abort', this.stop);
  }

  private readonly stop = () => this.abort('the worker is stopping');

  private abort(why: string): void {
    this.controller.abort(new Error(why));
  }
}
