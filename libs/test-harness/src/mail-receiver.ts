import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

export interface ReceivedMail {
  readonly recipient: string;
  readonly messageId: string;
  readonly raw: Buffer;
}

/** A mail server on this machine. It records the mails that it accepts. */
export interface MailReceiver {
  readonly port: number;
  /** The settings of a service that sends through it. */
  readonly settings: Readonly<Record<'SMTP_URL' | 'MAIL_FROM', string>>;
  readonly received: readonly ReceivedMail[];
  /** Sets what to answer to a recipient from now on: null accepts it. Default: null. */
  refuseWith(refusal: (recipient: string) => string | null): void;
  close(): Promise<void>;
}

const FROM = 'billing@example.com';

/**
 * @param options further ones of the server, such as a certificate
 * @param at the port; by default a free one
 */
export async function startMailReceiver(options: SMTPServerOptions = {}, at = 0): Promise<MailReceiver> {
  const received: ReceivedMail[] = [];
  let refusal: (recipient: string) => string | null = () => null;
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], disableReverseLookup: true },
    onRcptTo: ({ address }, _session, done) => done(errorOf(refusal(address))),
    onData: (stream, session, done) => {
      void contentOf(stream)
        .then((raw) => noted(raw, session))
        .then((mails) => {
          received.push(...mails);
          done(null, 'queued as 1');
        }, done);
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listening = server.listen(at, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    port,
    settings: { SMTP_URL: `smtp://127.0.0.1:${port}?tls=none`, MAIL_FROM: FROM },
    received,
    refuseWith: (next) => {
      refusal = next;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function contentOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function noted(raw: Buffer, { envelope }: SMTPServerSession): Promise<ReceivedMail[]> {
  const { messageId = '' } = await simpleParser(raw);
  return envelope.rcptTo.map(({ address }) => ({ recipient: address, messageId, raw }));
}

/** @param answer such as `550 5.1.1 User unknown` */
function errorOf(answer: string | null): Error | null {
  if (answer === null) return null;
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });
}
