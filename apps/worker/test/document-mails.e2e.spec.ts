import { FAULT_POINTS } from '@counterfoil/config';
import { MAIL_JOBS } from '@counterfoil/mail';
import {
  DEMO_KEY,
  type MailReceiver,
  oneQueueStore,
  startMailReceiver,
  startProcesses,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { simpleParser } from 'mailparser';
import { sendOk } from './send-ok';

const CLIENT = { name: 'Client Ltd', taxId: '514000017', type: 'COMPANY' };
const ITEM = { description: 'ייעוץ', quantity: 2, unitPrice: 150.5 };
const LIMIT_MS = 30_000;
/** At these, the worker dies before the server has a message. */
const BEFORE_HAND_OVER: ReadonlySet<string> = new Set(['mail.claimed', 'mail.composed']);
/** At these, the server may have a message whose acceptance is not recorded. */
const AFTER_HAND_OVER: ReadonlySet<string> = new Set(['mail.handing-over', 'mail.answered']);

interface Mail {
  readonly id: number;
  readonly recipient: string;
  readonly kind: string;
  readonly status: string;
  readonly failure: string | null;
  readonly response: string | null;
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
}

interface Issued {
  readonly id: number;
  readonly visibleId: string;
  readonly number: number;
}

interface Sent {
  readonly sendId: string;
  readonly stamp: string;
  readonly mails: readonly { readonly id: number; readonly recipient: string }[];
}

describe.each(oneQueueStore())('sending documents by e-mail, with the $kind queue', (store) => {
  let receiver: MailReceiver;
  let service: ServiceProcesses;
  let clientId: number;
  let issued: Issued;

  beforeAll(async () => {
    receiver = await startMailReceiver();
    const settings = { ...receiver.settings, SCHEDULER_INTERVAL: '200ms', MAIL_RETRY_DELAYS: '300ms,300ms' };
    service = await startProcesses(store, settings);
    await ok('PUT', '/company', { name: 'אקמה', email: 'office@acme.example' });
    ({ clientId } = await ok<{ clientId: number }>('POST', '/clients/create', CLIENT));
    issued = await issue();
  });
  afterAll(async () => {
    await service?.stop();
    await receiver.close();
  });
  beforeEach(() => receiver.refuseWith(() => null));

  const ok = <T>(method: string, path: string, body?: object) => sendOk<T>(service, method, path, body);
  const issue = () =>
    ok<Issued>('POST', '/documents/create/tax-invoice', { entityId: clientId, items: [ITEM] });
  const send = (body: object) => ok<Sent>('POST', `/documents/id/${issued.id}/send`, body);
  const mailsOf = async ({ sendId }: Sent) => {
    const { data } = await ok<{ data: readonly Mail[] }>('GET', `/mails?sendId=${sendId}&limit=100`);
    return [...data].sort((a, b) => a.id - b.id);
  };
  const ended = async (sent: Sent): Promise<readonly Mail[]> => {
    let mails: readonly Mail[] = [];
    const haveEnded = async () => {
      mails = await mailsOf(sent);
      return mails.every(({ status }) => status !== 'queued');
    };
    await until('the mails to end', haveEnded, LIMIT_MS);
    return mails;
  };
  const leased = async ({ sendId }: Sent) =>
    (
      await service.database.query(
        `select from document_mails where send_id = $1 and lease_until > now() and handed_over_at is not null`,
        [sendId],
      )
    ).length;
  const receivedOf = ({ sendId }: Sent) =>
    receiver.received.filter(({ messageId }) => messageId === `<${sendId}@example.com>`);
  const eventsOf = async (sent: Sent) => {
    const rows = await service.database.query<{ type: string; body: string }>(
      `select type, body from outbox_events where type in ('document.sent', 'document.send_failed') order by sequence`,
    );
    return rows
      .map(({ type, body }) => ({
        type,
        ...(JSON.parse(body) as { data: { sending: Mail & Sent } }).data.sending,
      }))
      .filter(({ sendId }) => sendId === sent.sendId);
  };

  it('sends a mail with the PDF to each recipient, and reports each', async () => {
    const sent = await send({
      ...{ to: ['dana@example.com', 'DANA@example.com'], cc: ['books@example.com'] },
      ...{ subject: 'החשבונית שלך', message: 'שלום דנה' },
    });
    expect(sent.mails.map(({ recipient }) => recipient)).toEqual(['dana@example.com', 'books@example.com']);
    expect(await ended(sent)).toMatchObject([
      { kind: 'to', status: 'accepted', failure: null, response: '250 queued as 1', nextAttemptAt: null },
      { kind: 'cc', status: 'accepted' },
    ]);
    const received = receivedOf(sent);
    expect(received.map(({ recipient }) => recipient).sort()).toEqual([
      'books@example.com',
      'dana@example.com',
    ]);
    const mail = await simpleParser(received[0]!.raw);
    expect(mail).toMatchObject({
      ...{ subject: 'החשבונית שלך', from: { value: [{ name: 'אקמה', address: 'billing@example.com' }] } },
      ...{ replyTo: { value: [{ address: 'office@acme.example' }] }, to: { text: 'dana@example.com' } },
      ...{
        cc: { text: 'books@example.com' },
        attachments: [{ filename: `tax-invoice-${issued.number}.pdf` }],
      },
    });
    expect(mail.text).toContain('שלום דנה');
    const pdf = await fetch(`${service.url}/documents/id/${issued.id}/pdf`, {
      headers: { authorization: 'Bearer sk_test_demo_owner' },
    });
    expect(mail.attachments[0]!.content.equals(Buffer.from(await pdf.arrayBuffer()))).toBe(true);
    expect(await eventsOf(sent)).toMatchObject([{ type: 'document.sent' }, { type: 'document.sent' }]);
  });

  it('hands the original of an invoice over once, by a mail or by a link', async () => {
    const invoice = await issue();
    const mail = (more = {}) =>
      ok<Sent>('POST', `/documents/id/${invoice.id}/send`, { to: ['dana@example.com'], ...more });
    const share = (more = {}) => ok<Sent>('POST', `/documents/id/${invoice.id}/share`, more);
    const first = await mail({ cc: ['books@example.com'] });
    const stamps = [first, await share(), await mail(), await mail({ stamp: 'original' })];
    expect(stamps.map(({ stamp }) => stamp)).toEqual(['original', 'copy', 'copy', 'original']);
    await ended(first);
    const pdfs = await Promise.all(receivedOf(first).map(({ raw }) => simpleParser(raw)));
    expect(pdfs.length).toBe(2);
    const original = await fetch(`${service.url}/documents/id/${invoice.id}/pdf`, {
      headers: { authorization: `Bearer ${DEMO_KEY}` },
    });
    const bytes = Buffer.from(await original.arrayBuffer());
    for (const { attachments } of pdfs) expect(attachments[0]?.content.equals(bytes)).toBe(true);
  });

  it('writes in both languages, if the client has chosen so', async () => {
    const { entity } = await ok<{ entity: { visibleId: string } }>('GET', `/documents/${issued.id}`);
    const setLanguage = (documentLanguage: string | null) =>
      ok('PUT', `/clients/edit/${entity.visibleId}`, { documentLanguage });
    await setLanguage('both');
    const { id } = await issue();
    await setLanguage(null);
    const sent = await ok<Sent>('POST', `/documents/id/${id}/send`, { to: ['dana@example.com'] });
    await ended(sent);
    const mail = await simpleParser(receivedOf(sent)[0]!.raw);
    expect(mail.subject).toMatch(/^חשבונית מס \/ Tax invoice \d+ מאת \/ from אקמה$/);
    expect(mail.text).toMatch(/^שלום,\s+המסמך מצורף\.\s+Hello,/);
  });

  it('says that a document is cancelled', async () => {
    const receipt = { entityId: clientId, payments: [{ method: 'CASH', amount: 50 }] };
    const { id, visibleId } = await ok<Issued>('POST', '/documents/create/receipt', receipt);
    await service.request('POST', `/documents/cancel/${visibleId}`, { reason: 'a mistake' });
    const sent = await ok<Sent>('POST', `/documents/id/${id}/send`, { to: ['dana@example.com'] });
    await ended(sent);
    const { subject, text } = await simpleParser(receivedOf(sent)[0]!.raw);
    expect(subject).toMatch(/^קבלה מס׳ \d+ \(המסמך מבוטל\) מאת אקמה$/);
    expect(text).toMatch(/קבלה מס׳ \d+ \(המסמך מבוטל\)\n/);
  });

  it('is refused by an installation that names no mail server', async () => {
    const production = { NODE_ENV: 'production', PAYMENT_GATEWAY: 'off', SMTP_URL: '', MAIL_FROM: '' };
    const { key } = await ok<{ key: string }>('POST', '/api-keys', { role: 'owner', userName: 'Dana' });
    const { url } = await service.startApiProcess({ ...production, PUBLIC_URL: 'https://books.example.com' });
    const call = { method: 'POST', body: JSON.stringify({ to: ['dana@example.com'] }) };
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/documents/id/${issued.id}/send`, { ...call, headers });
    expect(answer.status).toBe(409);
    const refusal = { code: 'INVALID_STATE', error: expect.stringContaining('SMTP_URL') };
    expect(await answer.json()).toMatchObject(refusal);
    const pdf = await fetch(`${url}/documents/id/${issued.id}/pdf`, { headers });
    expect(pdf.status).toBe(200);
  });

  it('sends one mail for a call that is repeated', async () => {
    const path = `${service.url}/documents/id/${issued.visibleId}/send`;
    const call = async () => {
      const answer = await fetch(path, {
        method: 'POST',
        headers: {
          ...{ authorization: 'Bearer sk_test_demo_owner', 'content-type': 'application/json' },
          'idempotency-key': 'send 1',
        },
        body: JSON.stringify({ to: ['once@example.com'] }),
      });
      return { status: answer.status, text: await answer.text() };
    };
    const first = await call();
    expect(await call()).toEqual({ status: 200, text: first.text });
    await ended(JSON.parse(first.text) as Sent);
    expect(receiver.received.filter(({ recipient }) => recipient === 'once@example.com')).toHaveLength(1);
  });

  it('tries again what the server postpones, and gives up in the end', async () => {
    let refusals = 0;
    receiver.refuseWith((recipient) =>
      recipient === 'busy@example.com' || (recipient === 'grey@example.com' && refusals++ === 0)
        ? '451 4.7.1 try again'
        : null,
    );
    const sent = await send({ to: ['grey@example.com', 'busy@example.com'] });
    expect(await ended(sent)).toMatchObject([
      { recipient: 'grey@example.com', status: 'accepted', attempts: 2 },
      {
        recipient: 'busy@example.com',
        status: 'failed',
        failure: 'expired',
        response: '451 4.7.1 try again',
      },
    ]);
    expect(receivedOf(sent).map(({ recipient }) => recipient)).toEqual(['grey@example.com']);
  });

  it('reports a recipient that the server refuses, and sends to the others', async () => {
    receiver.refuseWith((recipient) => (recipient.startsWith('nobody') ? '550 5.1.1 User unknown' : null));
    const sent = await send({ to: ['nobody@example.com', 'dana@example.com'] });
    expect(await ended(sent)).toMatchObject([
      { status: 'failed', failure: 'refused', response: '550 5.1.1 User unknown', attempts: 1 },
      { status: 'accepted' },
    ]);
    const [nobody, dana] = sent.mails;
    expect((await eventsOf(sent)).map(({ type, id, failure }) => [type, id, failure]).sort()).toEqual([
      ['document.send_failed', nobody!.id, 'refused'],
      ['document.sent', dana!.id, null],
    ]);
  });

  it('waits for a server that is away', async () => {
    const { port } = receiver;
    await receiver.close();
    const sent = await send({ to: ['patient@example.com'] });
    await until('an attempt', async () => (await mailsOf(sent))[0]!.attempts > 0, LIMIT_MS);
    expect((await mailsOf(sent))[0]).toMatchObject({ response: 'the mail server cannot be reached' });
    receiver = await startMailReceiver({}, port);
    expect(await ended(sent)).toMatchObject([{ status: 'accepted' }]);
    expect(receivedOf(sent)).toHaveLength(1);
  });

  it.each(FAULT_POINTS.mail)(
    'sends no mail twice and loses none if a worker is killed at %s',
    async (point) => {
      await service.worker.kill('SIGKILL');
      const sent = await send({ to: Array.from({ length: 8 }, (_, at) => `r${at}@example.com`) });
      const doomed = await service.startWorkerProcess({ FAULT_POINT: point }).catch(() => null);
      await doomed?.ended;
      await service.replaceWorker();
      await until('the claims of the killed worker to end', async () => (await leased(sent)) === 0, LIMIT_MS);
      // A mail that was handed over stays with its worker for two minutes.
      await service.database.query(
        `update document_mails set next_attempt_at = now() where send_id = $1 and handed_over_at is not null
          and status = 'queued'`,
        [sent.sendId],
      );
      const mails = await ended(sent);
      const received = receivedOf(sent).map(({ recipient }) => recipient);
      expect(new Set(received).size).toBe(received.length);
      for (const { recipient, status, failure } of mails) {
        const isUncertain = status === 'failed' && failure === 'uncertain';
        expect({ recipient, isKnown: status === 'accepted' || isUncertain }).toEqual({
          recipient,
          isKnown: true,
        });
        if (status === 'accepted') expect(received).toContain(recipient);
      }
      expect(await eventsOf(sent)).toHaveLength(8);
      const uncertain = mails.filter(({ failure }) => failure === 'uncertain').length;
      if (BEFORE_HAND_OVER.has(point)) expect(uncertain).toBe(0);
      if (AFTER_HAND_OVER.has(point)) expect(uncertain).toBeGreaterThan(0);
      expect(uncertain).toBeLessThanOrEqual(MAIL_JOBS['mail.send'].concurrency);
    },
  );
});
