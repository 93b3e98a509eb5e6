import { FAULT_POINTS } from '@counterfoil/config';
import {
  type MailReceiver,
  oneQueueStore,
  startMailReceiver,
  startProcesses,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { simpleParser } from 'mailparser';
import { sendOk } from './send-ok';

const CLIENT = { name: 'לקוח', taxId: '514000017', type: 'COMPANY' };
const ITEM = { description: 'ייעוץ', quantity: 1, unitPrice: 100, vatRate: 18 };
const LIMIT_MS = 60_000;
const DAY_MS = 86_400_000;
const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jerusalem' }).format(new Date());
const daysAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

interface Mail {
  readonly id: number;
  readonly documentId: number;
  readonly status: string;
  readonly failure: string | null;
}

/** On one queue store: document-mails.e2e sends over both. */
describe.each(oneQueueStore())('reminders, with the $kind queue', (store) => {
  let receiver: MailReceiver;
  let service: ServiceProcesses;

  beforeAll(async () => {
    receiver = await startMailReceiver();
    const settings = {
      ...{ ...receiver.settings, SCHEDULER_INTERVAL: '200ms', MAIL_RETRY_DELAYS: '300ms,300ms' },
      // Also when the test runs in the night.
      REMINDER_HOURS: '0-24',
    };
    service = await startProcesses(store, settings);
  });
  afterAll(async () => {
    await service?.stop();
    await receiver.close();
  });

  const ok = <T>(method: string, path: string, body?: object) => sendOk<T>(service, method, path, body);
  const mails = async () => (await ok<{ data: Mail[] }>('GET', '/mails?purpose=reminder&limit=100')).data;

  /** Documents that were issued weeks ago, and are due on a day, before reminders were turned on. */
  async function given(count: number, email: string, due: string): Promise<readonly number[]> {
    await ok('PUT', '/company', { reminderDays: [] });
    const { clientId: entityId } = await ok<{ clientId: number }>('POST', '/clients/create', {
      ...CLIENT,
      ...(email === '' ? {} : { email }),
    });
    const ids: number[] = [];
    for (let at = 0; at < count; at++) {
      const { id } = await ok<{ id: number }>('POST', '/documents/create/tax-invoice', {
        ...{ entityId, items: [ITEM] },
      });
      ids.push(id);
    }
    await service.database.query(
      `update documents set issue_date = $2::date, created_at = $2::date, due_date = $3 where id = any ($1)`,
      [ids, daysAfter(due, -60), due],
    );
    await service.database.query('delete from reminder_progress');
    return ids;
  }
  const turnOn = async (reminderDays: readonly number[]) => {
    await ok('PUT', '/company', { reminderDays });
    // As if they had been turned on long ago.
    await service.database.query(`update company_reminders set changed_at = now() - interval '30 days'`);
  };
  const ended = (ids: readonly number[]) => async () => {
    const own = (await mails()).filter(({ documentId }) => ids.includes(documentId));
    return own.length === ids.length && own.every(({ status }) => status !== 'queued');
  };

  it('are off until the company turns them on, and then sent with the PDF and what is left to pay', async () => {
    const [id] = await given(1, 'dana@example.com', daysAfter(today(), -7));
    expect(await ok('GET', '/company')).toMatchObject({ reminderDays: [] });
    await turnOn([7, -3]);
    expect(await ok('GET', '/company')).toMatchObject({ reminderDays: [-3, 7] });
    await until('the reminder', ended([id!]), LIMIT_MS);
    const [mail] = receiver.received.filter(({ recipient }) => recipient === 'dana@example.com');
    const { subject, text, attachments } = await simpleParser(mail!.raw);
    expect(subject).toContain('תזכורת לתשלום');
    expect(text).toContain('יתרה לתשלום: 118.00 ILS');
    expect(attachments).toMatchObject([{ contentType: 'application/pdf' }]);
    expect(await ok('GET', `/documents/id/${id}/reminders`)).toMatchObject({
      enabled: true,
      reminders: [
        { date: today(), days: 7, status: 'accepted', recipient: 'dana@example.com', skipped: null },
      ],
    });
  });

  it('are not sent of an exempt document, nor to an exempt client, nor without an address', async () => {
    const due = today();
    const [exempt] = await given(1, 'exempt@example.com', due);
    const [unknown] = await given(1, '', due);
    const [reminded] = await given(1, 'yes@example.com', due);
    const [off] = await given(1, 'off@example.com', due);
    await ok('PUT', `/documents/id/${exempt}/reminders`, { enabled: false });
    const { entity } = await ok<{ entity: { visibleId: string } }>('GET', `/documents/${off}`);
    await ok('PUT', `/clients/edit/${entity.visibleId}`, { reminders: false });
    expect(await ok('GET', `/clients/id/${entity.visibleId}`)).toMatchObject({ reminders: false });
    await turnOn([0]);
    await until('the reminder', ended([reminded!]), LIMIT_MS);
    const shown = (id: number | undefined) => ok('GET', `/documents/id/${id}/reminders`);
    expect(await shown(exempt)).toEqual({ enabled: false, nextDate: null, reminders: [] });
    expect(await shown(off)).toEqual({ enabled: true, nextDate: null, reminders: [] });
    expect(await shown(unknown)).toMatchObject({ reminders: [{ mailId: null, skipped: 'no_address' }] });
  });

  it.each(FAULT_POINTS.reminders)('are each sent once if a worker dies at %s', async (point) => {
    const name = `${point.replace('.', '-')}@example.com`;
    const ids = await given(8, name, today());
    await service.worker.kill('SIGKILL');
    await turnOn([0]);
    const doomed = await service.startWorkerProcess({ FAULT_POINT: point }).catch(() => null);
    await doomed?.ended;
    const [, second] = await Promise.all([service.replaceWorker(), service.startWorkerProcess()]);
    await until('the reminders', ended(ids), LIMIT_MS);
    expect(receiver.received.filter(({ recipient }) => recipient === name)).toHaveLength(8);
    // In the next case, only the worker that dies may queue the reminders.
    await second.kill('SIGTERM');
  });
});
