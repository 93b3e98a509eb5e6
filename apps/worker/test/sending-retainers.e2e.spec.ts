import { type Interval, occurrence, plainDateOf } from '@counterfoil/kernel';
import {
  type MailReceiver,
  oneQueueStore,
  startMailReceiver,
  startProcesses,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { simpleParser } from 'mailparser';
import { loseQueue } from './lost-queue';
import { sendOk } from './send-ok';

const ITEM = { description: 'אחזקה', quantity: 1, unitPrice: 100 };
const LIMIT_MS = 60_000;
/** Between the document and its mails, after both, and after the commit. */
const POINTS = ['issuance.written', 'retainer.mails-queued', 'issuance.committed'] as const;

interface Issued {
  readonly id: number;
  readonly date: string;
  readonly recipients: readonly string[] | null;
  readonly sendIds: readonly string[] | null;
  readonly statuses: readonly string[] | null;
}

/** On one queue store: retainer-years.e2e issues, and document-mails.e2e sends, over both. */
describe.each(oneQueueStore())('with the $kind queue, a retainer that sends its documents', (store) => {
  let receiver: MailReceiver;
  let service: ServiceProcesses;
  let entityId: number;
  let names = 0;
  const today = plainDateOf(new Date());

  beforeAll(async () => {
    receiver = await startMailReceiver();
    service = await startProcesses(store, { ...receiver.settings, SCHEDULER_INTERVAL: '200ms' });
    await ok('PUT', '/company', { name: 'אקמה', taxId: '514000009', documentLanguage: 'he' });
    const client = { name: 'Client', taxId: '514000017', type: 'COMPANY', documentLanguage: 'en' };
    ({ clientId: entityId } = await ok<{ clientId: number }>('POST', '/clients/create', client));
  });
  afterAll(async () => {
    await service?.stop();
    await receiver?.close();
  });

  const ok = <T>(method: string, path: string, body?: object) => sendOk<T>(service, method, path, body);
  /** @param dates of documents, the last of them today */
  async function create(dates: number, interval: Interval = 'WEEKLY') {
    const [to, cc] = [[`to${++names}@example.com`], [`cc${names}@example.com`]];
    const nextRunDate = occurrence(today, interval, 1 - dates);
    const terms = { entityId, items: [ITEM], interval, nextRunDate, documentType: 'TAX_INVOICE' };
    const { retainerId } = await ok<{ retainerId: number }>('POST', '/retainers/create', {
      ...terms,
      send: { to, cc },
    });
    const due = Array.from({ length: dates }, (_, at) => occurrence(nextRunDate, interval, at));
    return { retainerId, due, recipients: [...cc, ...to] };
  }
  const issuedBy = (retainerId: number) =>
    service.database.query<Issued>(
      `select d.id::int, d.issue_date::text as date, array_agg(m.recipient order by m.recipient) as recipients,
              array_agg(distinct m.send_id) as "sendIds", array_agg(m.status) as statuses
         from documents d left join document_mails m on m.document_id = d.id
        where d.retainer_id = $1 group by d.id order by d.id`,
      [retainerId],
    );
  const hasEnded = ({ statuses }: Issued) => statuses?.every((status) => status === 'accepted') ?? false;
  const receivedBy = (recipients: readonly string[]) =>
    receiver.received.filter(({ recipient }) => recipients.includes(recipient));

  it('mails each to each recipient, in the language of the client, with its period', async () => {
    const { retainerId, due, recipients } = await create(1, 'MONTHLY');
    await until('the mails', () => receivedBy(recipients).length >= 2, LIMIT_MS);
    const [document] = await issuedBy(retainerId);
    const mail = await simpleParser(receivedBy(recipients)[0]!.raw);
    expect(mail.subject).toMatch(/^Tax invoice no\. \d+ from אקמה$/);
    const headers = { authorization: 'Bearer sk_test_demo_owner' };
    const pdf = await fetch(`${service.url}/documents/id/${document!.id}/pdf`, { headers });
    expect(mail.attachments[0]!.content.equals(Buffer.from(await pdf.arrayBuffer()))).toBe(true);
    const html = await (await fetch(`${service.url}/documents/id/${document!.id}/html`, { headers })).text();
    expect(html).toContain('<html lang="en" dir="ltr"');
    expect(html).toContain('Period');
    const { period } = await ok<{ period: object }>('GET', `/documents/${document!.id}`);
    const next = Date.parse(occurrence(due[0]!, 'MONTHLY', 1));
    const until_ = new Date(next - 86_400_000).toISOString().slice(0, 10);
    expect(period).toEqual({ from: today, until: until_ });
    const ubl = await (await fetch(`${service.url}/documents/id/${document!.id}/ubl`, { headers })).text();
    expect(ubl).toContain(`<cbc:StartDate>${today}</cbc:StartDate>`);
    expect(ubl).toContain(`<cbc:EndDate>${until_}</cbc:EndDate>`);
    const { data } = await ok<{ data: readonly { readonly id: number; readonly send: object }[] }>(
      'GET',
      '/retainers',
    );
    const [cc, to] = recipients;
    const send = { to: [to], cc: [cc], subject: null, message: null };
    expect(data.find(({ id }) => id === retainerId)?.send).toEqual(send);
  });

  it.each(POINTS)(
    'issues each once and mails each once to each recipient if a worker is killed at %s',
    async (point) => {
      await service.worker.kill('SIGKILL');
      const doomed = await service.startWorkerProcess({ FAULT_POINT: point });
      const made = [await create(4), await create(3)];
      expect(await doomed.ended).toBe('SIGKILL');
      // Replaces waiting for the end of the dead worker's job lock.
      await loseQueue(store, service);
      await service.replaceWorker();
      const other = await service.startWorkerProcess({});
      for (const { retainerId, due, recipients } of made) {
        const rows = await until(
          'every mail',
          async () => {
            const found = await issuedBy(retainerId);
            return found.length >= due.length && found.every(hasEnded) && found;
          },
          LIMIT_MS,
        );
        expect(rows.map(({ date }) => date)).toEqual(due);
        expect(rows.map((row) => row.recipients)).toEqual(due.map(() => recipients));
        expect(rows.map(({ sendIds }) => sendIds?.length)).toEqual(due.map(() => 1));
        const received = receivedBy(recipients).map(
          ({ messageId, recipient }) => `${messageId} ${recipient}`,
        );
        expect(received).toHaveLength(due.length * recipients.length);
        expect(new Set(received).size).toBe(received.length);
      }
      await other.kill('SIGTERM');
    },
    2 * LIMIT_MS,
  );
});
