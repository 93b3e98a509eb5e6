import { setTimeout as sleep } from 'node:timers/promises';
import { FAULT_POINTS } from '@counterfoil/config';
import { occurrence, plainDateOf } from '@counterfoil/kernel';
import {
  Figures,
  type MailReceiver,
  queueStores,
  type ServiceProcess,
  startMailReceiver,
  startProcesses,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { Rng } from './rng';

const KILLS = 300;
const WORKERS = 2;
const RECIPIENTS = 5;
/** The due dates of each retainer, the last of them today. */
const DATES = 3;
/** Documents that come due together. */
const REMINDED = 3;
/** The shares of documents that are sent by a retainer, and of which the client is reminded. The others are sent by calls. */
const BY_RETAINER = 0.3;
const BY_REMINDER = 0.3;
/** Documents of retainers settle nothing, so they do not reach the fault points of settlements. */
const POINTS = [
  ...FAULT_POINTS.mail,
  ...FAULT_POINTS.retainers,
  ...FAULT_POINTS.reminders,
  ...FAULT_POINTS.issuance.filter((point) => !point.startsWith('settling.')),
];
/** Until a worker is killed, in milliseconds. Some reach their fault point first. */
const LIFE = [0, 1_200] as const;
/** The share of workers that die at a point of their work, and not at any time. */
const DOOMED = 0.5;
/** Below the limit of a company. */
const OPEN_MAX = 200;
const LIMIT_MS = 120_000;
const ITEM = { description: 'Consulting', quantity: 1, unitPrice: 100 };

interface Row {
  readonly sendId: string;
  readonly recipient: string;
  readonly status: string;
  readonly failure: string | null;
}

const TO = Array.from({ length: RECIPIENTS }, (_, at) => `r${at}@example.com`);

/** The documents and mails of a retainer. */
interface Retained {
  readonly documents: number;
  readonly dates: number;
  readonly mails: number;
  readonly recipients: number;
}

/** Sends documents, by calls, retainers and reminders, while its workers are killed. */
class Site {
  private readonly rng = new Rng('mails');
  private readonly starting: Promise<void>[] = [];
  private workers: ServiceProcess[] = [];
  documents = 0;
  retainers = 0;
  reminders = 0;
  kills = 0;

  constructor(
    private readonly service: ServiceProcesses,
    private readonly entityId: number,
  ) {}

  async run(): Promise<void> {
    await this.service.worker.kill('SIGKILL');
    while (this.kills < KILLS) {
      while (this.workers.length + this.starting.length < WORKERS) this.start();
      // Mails of killed workers stay claimed for five seconds.
      if ((await open(this.service)) < OPEN_MAX) await this.cause();
      await sleep(this.rng.between(LIFE));
      await this.kill();
    }
    await Promise.all(this.starting);
    await Promise.all(this.workers.map((worker) => worker.kill('SIGKILL')));
    await this.service.replaceWorker();
  }

  private start(): void {
    const isDoomed = this.rng.between([0, 1]) < DOOMED;
    const point = POINTS[Math.floor(this.rng.between([0, POINTS.length]))]!;
    const started = this.service
      .startWorkerProcess(isDoomed ? { FAULT_POINT: point } : {})
      .then((worker) => void this.workers.push(worker))
      // It has reached its fault point before it was ready.
      .catch(() => void this.kills++)
      .finally(() => void this.starting.splice(this.starting.indexOf(started), 1));
    this.starting.push(started);
  }

  private cause(): Promise<void> {
    const share = this.rng.between([0, 1]);
    if (share < BY_RETAINER) return this.retain();
    return share < BY_RETAINER + BY_REMINDER ? this.remind() : this.send();
  }

  /** Documents of last year that are due today. The days of the company are changed, so that all are looked for again. */
  private async remind(): Promise<void> {
    const ids: number[] = [];
    for (let count = 0; count < REMINDED; count++) {
      const body = { entityId: this.entityId, items: [ITEM] };
      ids.push((await this.made<{ id: number }>('/documents/create/tax-invoice', body)).id);
    }
    const { database } = this.service;
    await database.query(
      `update documents set issue_date = $2::date - 60, created_at = $2::date - 60, due_date = $2 where id = any ($1)`,
      [ids, plainDateOf(new Date())],
    );
    await database.query('update company_reminders set changed_at = now()');
    this.reminders += REMINDED;
  }

  private async send(): Promise<void> {
    const body = { entityId: this.entityId, items: [ITEM] };
    const issued = await this.made<{ id: number }>('/documents/create/tax-invoice', body);
    await this.made(`/documents/id/${issued.id}/send`, { to: TO });
    this.documents++;
  }

  /** A retainer that has missed all dates but the last. */
  private async retain(): Promise<void> {
    const nextRunDate = occurrence(plainDateOf(new Date()), 'WEEKLY', 1 - DATES);
    const terms = { entityId: this.entityId, items: [ITEM], interval: 'WEEKLY', documentType: 'TAX_INVOICE' };
    await this.made('/retainers/create', { ...terms, nextRunDate, send: { to: TO } });
    this.retainers++;
  }

  private async kill(): Promise<void> {
    const victim = this.workers.shift();
    if (!victim) return;
    await victim.kill('SIGKILL');
    this.kills++;
  }

  private async made<T>(path: string, body: object): Promise<T> {
    const answer = await this.service.request<T>('POST', path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}

describe.each(queueStores())('mails while workers are killed, with the $kind queue', (store) => {
  let receiver: MailReceiver;
  let service: ServiceProcesses;

  beforeAll(async () => {
    receiver = await startMailReceiver();
    const settings = {
      ...{ ...receiver.settings, SCHEDULER_INTERVAL: '200ms', LOG_LEVEL: 'silent' },
      // Also when the trial runs in the night.
      REMINDER_HOURS: '0-24',
    };
    service = await startProcesses(store, settings);
  });
  afterAll(async () => {
    await service.stop();
    await receiver.close();
  });

  it(`are sent once, and each has an end, after ${KILLS} kills`, async () => {
    const client = { name: 'Client', taxId: '514000017', type: 'COMPANY', email: TO[0] };
    const { body } = await service.request<{ clientId: number }>('POST', '/clients/create', client);
    await service.request('PUT', '/company', { reminderDays: [0] });
    const site = new Site(service, body.clientId);
    await site.run();
    await until('every document to be issued', async () => (await due(service)) === 0, LIMIT_MS);
    await until(
      'every reminder to be queued',
      async () => (await reminded(service)) >= site.reminders,
      LIMIT_MS,
    );
    await until('every mail to end', async () => (await open(service)) === 0, LIMIT_MS);
    const retained = await retainedOf(service);
    const wrong = retained.filter(isWrong);
    const rows = await service.database.query<Row>(
      'select send_id as "sendId", recipient, status, failure from document_mails',
    );
    const got = receiver.received.map(({ messageId, recipient }) => `${messageId.slice(1, 37)} ${recipient}`);
    const [renditions] = await service.database.query<{ most: number }>(
      'select max(count)::int as most from (select count(*) from renditions group by document_id) of_documents',
    );
    const unique = new Set(got);
    const lost = rows.filter(
      ({ status, sendId, recipient }) => status === 'accepted' && !unique.has(`${sendId} ${recipient}`),
    );
    const figures = new Figures();
    figures.heading(`${store.kind}: ${WORKERS} workers, ${RECIPIENTS} recipients of each document`);
    figures.add('workers killed', site.kills, '', { atLeast: KILLS });
    figures.add('documents of calls', site.documents);
    figures.add('retainers', site.retainers, '', { atLeast: 1 });
    figures.add('retainers that have issued', retained.length, '', { atLeast: site.retainers });
    figures.add('retainers with other documents or mails than one for each date', wrong.length, '', {
      atMost: 0,
    });
    figures.add('documents reminded of', site.reminders, '', { atLeast: 1 });
    const once = { rows: site.reminders, mails: site.reminders, documents: site.reminders };
    expect(await remindersOf(service)).toEqual(once);
    const mails = (site.documents + site.retainers * DATES) * RECIPIENTS + site.reminders;
    figures.add('mails', rows.length);
    figures.add('mails missing or too many', Math.abs(rows.length - mails), '', { atMost: 0 });
    figures.add('accepted', rows.filter(({ status }) => status === 'accepted').length);
    figures.add('uncertain', rows.filter(({ failure }) => failure === 'uncertain').length);
    const otherwise = rows.filter(({ failure }) => failure && failure !== 'uncertain');
    figures.add('failed otherwise', otherwise.length, '', { atMost: 0 });
    figures.add('received twice', got.length - unique.size, '', { atMost: 0 });
    figures.add('accepted, and not received', lost.length, '', { atMost: 0 });
    figures.add('PDFs of one document, at most', renditions?.most ?? 0, '', { atMost: 1 });
    expect(figures.broken).toEqual([]);
  });
});

const retainedOf = ({ database }: ServiceProcesses): Promise<Retained[]> =>
  database.query<Retained>(
    `select count(distinct d.id)::int as documents,
            count(distinct d.issue_date)::int as dates, count(m.id)::int as mails,
            count(distinct (d.id, m.recipient))::int as recipients
       from documents d left join document_mails m on m.document_id = d.id
      where d.retainer_id is not null group by d.retainer_id`,
  );

const isWrong = ({ documents, dates, mails, recipients }: Retained): boolean =>
  documents !== DATES || dates !== DATES || mails !== DATES * RECIPIENTS || recipients !== mails;

/** Counts the reminders with their mails. */
async function remindersOf({ database }: ServiceProcesses): Promise<unknown> {
  const [counts] = await database.query(
    `select count(*)::int as rows, count(distinct r.mail_id)::int as mails,
            count(distinct r.document_id)::int as documents
       from document_reminders r join document_mails m on m.id = r.mail_id and m.document_id = r.document_id`,
  );
  return counts;
}

/** @param rows the table and its condition */
async function countOf(
  { database }: ServiceProcesses,
  rows: string,
  parameters: readonly unknown[] = [],
): Promise<number> {
  const sql = `select count(*)::int as count from ${rows}`;
  const [row] = await database.query<{ count: number }>(sql, [...parameters]);
  return row?.count ?? 0;
}

/** Counts the retainers with due dates. */
const due = (service: ServiceProcesses): Promise<number> =>
  countOf(service, 'schedules where ended_at is null and next_run_date <= $1', [plainDateOf(new Date())]);

const reminded = (service: ServiceProcesses): Promise<number> => countOf(service, 'document_reminders');

/** Counts the open mails. Those of killed workers are due at once, and not two minutes later. */
async function open(service: ServiceProcesses): Promise<number> {
  await service.database.query(
    `update document_mails set next_attempt_at = now() where status = 'queued' and handed_over_at is not null
      and lease_until < now() - interval '2 seconds'`,
  );
  return countOf(service, `document_mails where status = 'queued'`);
}
