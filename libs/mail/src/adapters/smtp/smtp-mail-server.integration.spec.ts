import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { selfSigned, startMailReceiver, type MailReceiver } from '@counterfoil/test-harness';
import { simpleParser } from 'mailparser';
import type { MailMessage } from '../../application/ports/mail-server';
import { SmtpMailServer } from './smtp-mail-server';

const LIMITS = { connecting: 900, sending: 1_200, accepting: 1_500 };
const warned: unknown[] = [];
const LOG = { warn: (fields: object) => void warned.push(fields) };
const PDF = Buffer.from(`%PDF-1.7 ${'x'.repeat(100_000)}`);

const MESSAGE: MailMessage = {
  ...{ id: 7, messageId: '5f8a3c1e-92b4-4d0e-8f61-7c2d9e0b4a35', recipient: 'dana@example.com' },
  ...{
    to: ['dana@example.com'],
    cc: ['books@example.com'],
    fromName: 'אקמה, בע"מ',
    replyTo: 'office@acme.example',
  },
  ...{
    subject: 'חשבונית מס 7 <b>',
    text: 'שלום\n.\nסוף',
    html: '<p dir="auto">שלום</p>',
    date: new Date('2026-11-27T09:00:00Z'),
    isAutomatic: true,
  },
  attachments: [{ fileName: 'tax-invoice-7.pdf', mediaType: 'application/pdf', content: PDF }],
};

/** Counts the hand-overs of one attempt. */
class Attempt {
  handOvers = 0;
  private readonly stopping = new AbortController();

  deliver(
    {
      port,
      ...settings
    }: {
      readonly port: number;
      readonly tls?: 'implicit' | 'required' | 'none';
      readonly credentials?: { user: string; pass: string };
    },
    isOurs = true,
  ) {
    const config = {
      host: '127.0.0.1',
      tls: 'none',
      credentials: null,
      from: 'billing@example.com',
      ...settings,
      port,
    } as const;
    return new SmtpMailServer(config, LOG, LIMITS).deliver(MESSAGE, {
      begin: () => {
        this.handOvers++;
        return Promise.resolve(isOurs);
      },
      signal: this.stopping.signal,
    });
  }

  stop(): void {
    this.stopping.abort();
  }
}

describe('a mail server', () => {
  let receiver: MailReceiver;
  let attempt: Attempt;

  beforeAll(async () => {
    receiver = await startMailReceiver();
  });
  afterAll(() => receiver.close());
  beforeEach(() => {
    attempt = new Attempt();
    receiver.refuseWith(() => null);
  });

  it('gets the message with its attachment, once', async () => {
    const before = receiver.received.length;
    expect(await attempt.deliver(receiver)).toEqual({ kind: 'accepted', response: '250 queued as 1' });
    expect(attempt.handOvers).toBe(1);
    const [mail, ...others] = receiver.received.slice(before);
    expect([mail!.recipient, others]).toEqual(['dana@example.com', []]);
    const parsed = await simpleParser(mail!.raw);
    expect(parsed).toMatchObject({
      ...{ messageId: `<${MESSAGE.messageId}@example.com>`, subject: MESSAGE.subject, date: MESSAGE.date },
      from: { value: [{ name: MESSAGE.fromName, address: 'billing@example.com' }] },
      to: { value: [{ address: 'dana@example.com' }] },
      cc: { value: [{ address: 'books@example.com' }] },
      replyTo: { value: [{ address: 'office@acme.example' }] },
      attachments: [{ filename: 'tax-invoice-7.pdf', contentType: 'application/pdf', content: PDF }],
    });
    expect(parsed.headers.get('auto-submitted')).toBe('auto-generated');
    expect(parsed.text?.trim()).toBe(MESSAGE.text);
    expect(parsed.html).toBe(MESSAGE.html);
  });

  it('logs no words of the server, which name recipients', async () => {
    receiver.refuseWith(() => '550 5.1.1 <dana@example.com>: no such user');
    warned.length = 0;
    await attempt.deliver(receiver);
    expect(warned).toEqual([
      {
        code: 'EENVELOPE',
        command: 'RCPT TO',
        responseCode: 550,
        status: '5.1.1',
        mailId: 7,
        isHandedOver: false,
      },
    ]);
  });

  it('drops a message whose hand-over is refused', async () => {
    const before = receiver.received.length;
    expect(await attempt.deliver(receiver, false)).toMatchObject({ kind: 'later' });
    expect([attempt.handOvers, receiver.received.length]).toEqual([1, before]);
  });

  it.each([
    ['550 5.1.1 User unknown', 'refused'],
    ['451 4.7.1 Greylisted, try again', 'later'],
  ] as const)('that answers %s to the recipient gets no message', async (answer, kind) => {
    receiver.refuseWith(() => answer);
    expect(await attempt.deliver(receiver)).toEqual({ kind, response: answer });
    expect(attempt.handOvers).toBe(0);
  });

  it('whose certificate is not trusted gets no message', async () => {
    const certificate = await selfSigned();
    const { cert, key } = certificate;
    for (const [tls, options] of [
      ['required', { disabledCommands: [] }],
      ['implicit', { secure: true }],
    ] as const) {
      const untrusted = await startMailReceiver({ ...options, disabledCommands: [], cert, key });
      expect({ tls, ...(await attempt.deliver({ port: untrusted.port, tls })) }).toEqual({
        ...{ tls, kind: 'later', response: 'the certificate of the mail server is not trusted' },
      });
      await untrusted.close();
    }
    expect(attempt.handOvers).toBe(0);
    certificate.remove();
  });

  it('without TLS gets no message if TLS is required', async () => {
    expect(await attempt.deliver({ port: receiver.port, tls: 'required' })).toEqual({
      kind: 'later',
      response: 'the connection to the mail server cannot be encrypted',
    });
    expect(attempt.handOvers).toBe(0);
  });

  it('that does not accept the credentials gets no message', async () => {
    const strict = await startMailReceiver({
      ...{ authOptional: false, allowInsecureAuth: true },
      onAuth: (_auth, _session, done) => done(new Error('no')),
    });
    expect(await attempt.deliver({ port: strict.port, credentials: { user: 'u', pass: 'hunter2' } })).toEqual(
      {
        kind: 'later',
        response: 'the mail server does not accept the credentials of this installation',
      },
    );
    await strict.close();
  });

  it('that cannot be reached gets no message', async () => {
    const gone = await startMailReceiver();
    await gone.close();
    expect(await attempt.deliver(gone)).toEqual({
      kind: 'later',
      response: 'the mail server cannot be reached',
    });
  });
});

/** Speaks as much SMTP as it is told, and then does something else. */
async function startOddServer(behave: (line: string, socket: Socket) => string | null) {
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const answer = (line: string) => {
      const text = behave(line, socket);
      if (text !== null && !socket.destroyed) socket.write(`${text}\r\n`);
    };
    let isData = false;
    let buffered = '';
    socket.on('data', (chunk: Buffer) => {
      buffered += chunk.toString('latin1');
      for (;;) {
        const end = isData ? buffered.indexOf('\r\n.\r\n') : buffered.indexOf('\r\n');
        if (end < 0) return;
        const line = isData ? '.' : buffered.slice(0, end);
        buffered = buffered.slice(end + (isData ? 5 : 2));
        isData = line === 'DATA';
        answer(line);
      }
    });
    answer('');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** The answers of an ordinary server, by the first word of the command; `''` is the greeting and `.` the end. */
const ORDINARY: Readonly<Record<string, string>> = {
  '': '220 odd',
  EHLO: '250 odd',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  '.': '250 queued',
  QUIT: '221 bye',
};
const wordOf = (line: string) => (line === '.' ? '.' : (line.split(' ')[0] ?? ''));

describe('an odd mail server', () => {
  const drop = (socket: Socket) => {
    socket.destroy();
    return null;
  };

  interface Case {
    readonly behaviour: string;
    /** The command that it answers oddly. */
    readonly at: string;
    readonly instead: (socket: Socket) => string | null;
    readonly outcome: object;
  }
  const hang = () => null;
  const cases: readonly Case[] = [
    {
      ...{ behaviour: 'hangs before its greeting', at: '', instead: hang },
      outcome: { kind: 'later', response: 'the mail server does not answer' },
    },
    {
      ...{ behaviour: 'closes after its greeting', at: 'EHLO', instead: drop },
      outcome: { kind: 'later', response: 'the mail server cannot be reached' },
    },
    {
      ...{ behaviour: 'throttles the recipient', at: 'RCPT', instead: () => '421 4.7.0 slow down' },
      outcome: { kind: 'later', response: '421 4.7.0 slow down' },
    },
    {
      ...{ behaviour: 'throttles the message', at: '.', instead: () => '421 4.7.0 slow down' },
      outcome: { kind: 'later', response: '421 4.7.0 slow down' },
    },
    {
      ...{
        behaviour: 'has listed this installation',
        at: 'RCPT',
        instead: () => '554 5.7.1 Client host blocked',
      },
      outcome: { kind: 'later', response: '554 5.7.1 Client host blocked' },
    },
    { behaviour: 'repeats 354', at: '.', instead: () => '354 go on', outcome: { kind: 'uncertain' } },
    { behaviour: 'refuses us', at: '', instead: () => '554 go away', outcome: { kind: 'later' } },
    {
      behaviour: 'refuses the sender',
      at: 'MAIL',
      instead: () => '550 not you',
      outcome: { kind: 'later', response: 'the mail server does not accept the sender of this installation' },
    },
    {
      behaviour: 'hangs after the recipient',
      at: 'RCPT',
      instead: hang,
      outcome: { kind: 'later', response: 'the mail server does not answer' },
    },
    {
      behaviour: 'refuses DATA',
      at: 'DATA',
      instead: () => '554 no',
      outcome: { kind: 'refused', response: '554 no' },
    },
    {
      behaviour: 'postpones DATA',
      at: 'DATA',
      instead: () => '451 no',
      outcome: { kind: 'later', response: '451 no' },
    },
    { behaviour: 'hangs after the message', at: '.', instead: hang, outcome: { kind: 'uncertain' } },
    { behaviour: 'drops after the message', at: '.', instead: drop, outcome: { kind: 'uncertain' } },
    {
      behaviour: 'refuses the message',
      at: '.',
      instead: () => '554 spam',
      outcome: { kind: 'refused', response: '554 spam' },
    },
    {
      behaviour: 'postpones the message',
      at: '.',
      instead: () => '451 full',
      outcome: { kind: 'later', response: '451 full' },
    },
    { behaviour: 'answers nonsense', at: '.', instead: () => 'hello', outcome: { kind: 'uncertain' } },
    {
      ...{ behaviour: 'answers with control characters', at: '.', instead: () => '250 ok\u0000\u0007' },
      outcome: { kind: 'accepted', response: '250 ok' },
    },
    {
      ...{ behaviour: 'answers with many words', at: '.', instead: () => `554 ${'x'.repeat(900)}` },
      outcome: { kind: 'refused', response: `554 ${'x'.repeat(496)}` },
    },
  ];

  it.each(cases)('that $behaviour', async ({ at, instead, outcome }) => {
    const server = await startOddServer((line, socket) =>
      wordOf(line) === at ? instead(socket) : (ORDINARY[wordOf(line)] ?? '500 what?'),
    );
    const attempt = new Attempt();
    expect(await attempt.deliver(server)).toMatchObject(outcome);
    expect(attempt.handOvers).toBe(at === '.' ? 1 : 0);
    server.close();
  });

  it('is left at once when the worker stops, unless it has the message', async () => {
    for (const [word, kind] of [
      ['RCPT', 'later'],
      ['.', 'accepted'],
    ] as const) {
      const attempt = new Attempt();
      const server = await startOddServer((line, socket) => {
        if (wordOf(line) !== word) return ORDINARY[wordOf(line)] ?? '500 what?';
        attempt.stop();
        if (word === '.') setTimeout(() => socket.write('250 queued\r\n'), 50);
        return null;
      });
      expect(await attempt.deliver(server)).toMatchObject({ kind });
      server.close();
    }
  });
});
