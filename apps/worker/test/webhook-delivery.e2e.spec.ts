import { createHmac } from 'node:crypto';
import {
  type EventReceiver,
  flushStore,
  queueStores,
  type ReceivedEvent,
  startEventReceiver,
  startProcesses,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';

interface Issued {
  readonly id: number;
  readonly visibleId: string;
  readonly number: number;
}

interface Envelope {
  readonly id: string;
  readonly data: { readonly document: { readonly id: string } };
}

const envelopeOf = (body: string) => JSON.parse(body) as Envelope;

const RETRY_DELAYS_MS = [400, 800, 1200];

describe.each(queueStores())('webhooks over the $kind queue', (store) => {
  let service: ServiceProcesses;
  let receiver: EventReceiver;
  let entityId: number;
  let secret: string;

  beforeAll(async () => {
    receiver = await startEventReceiver();
    service = await startProcesses(store, {
      ...receiver.settings,
      WEBHOOK_RETRY_DELAYS: RETRY_DELAYS_MS.map((delay) => `${delay}ms`).join(),
      WEBHOOK_TIMEOUT: '1s',
    });
    const client = await service.request<{ clientId: number }>('POST', '/clients/create', {
      name: 'Acme',
      taxId: '514000000',
      type: 'COMPANY',
    });
    entityId = client.body.clientId;
    const endpoint = await service.request<{ secret: string }>('POST', '/webhooks', {
      url: receiver.url,
      events: ['document.created'],
    });
    expect(endpoint.status).toBe(201);
    secret = endpoint.body.secret;
  });
  afterAll(async () => {
    await service?.stop();
    await receiver?.close();
  });

  async function issue(notes: string): Promise<Issued> {
    const items = [{ description: 'Consulting', quantity: 2, unitPrice: 150.5 }];
    const answer = await service.request<Issued>('POST', '/documents/create/tax-invoice', {
      entityId,
      items,
      notes,
    });
    expect(answer.status).toBe(201);
    return answer.body;
  }

  /** Returns the requests with the event of one document. */
  function attemptsOf(visibleId: string): ReceivedEvent[] {
    return receiver.received.filter(({ body }) => envelopeOf(body).data.document.id === visibleId);
  }

  it('sends document.created with the snapshot, once, in the stored bytes', async () => {
    const issued = await issue('snapshot');
    const [event] = await until(
      'the event',
      () => attemptsOf(issued.visibleId).length === 1 && attemptsOf(issued.visibleId),
    );
    const envelope = envelopeOf(event!.body);
    expect(envelope).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'document.created',
      created: expect.any(Number),
      data: {
        document: {
          id: issued.visibleId,
          documentId: issued.id,
          type: 'TAX_INVOICE',
          number: issued.number,
          externalId: null,
          entityId,
          retainerId: null,
          issueDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
          updatedAt: expect.stringMatching(/Z$/),
          currency: 'ILS',
          amount: 301,
          tax: 54.18,
          totalWithTax: 355.18,
          status: 'OPEN',
          isOpen: true,
          remainingAmount: 355.18,
          coveredAmount: 0,
          taxAuthorityApprovalNumber: null,
          approvalNumberStatus: null,
          cancelled: false,
        },
      },
    });
    expect(event!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringContaining('Counterfoil'),
      'service-event-id': envelope.id,
      'service-event-type': 'document.created',
      'webhook-id': envelope.id,
    });
    const [stored] = await service.database.query<{ body: string }>(
      'select body from outbox_events where id = $1',
      [envelope.id],
    );
    expect(event!.body).toBe(stored!.body);
  });

  it('signs so that the unmodified Stripe verifier accepts it, and refuses the same body serialised again', async () => {
    const issued = await issue('stripe');
    const [event] = await until(
      'the event',
      () => attemptsOf(issued.visibleId).length > 0 && attemptsOf(issued.visibleId),
    );
    const header = String(event!.headers['service-signature']);
    const stripe = new Stripe('sk_test_unused');
    expect(stripe.webhooks.constructEvent(event!.body, header, secret).type).toBe('document.created');
    const reserialised = JSON.stringify(JSON.parse(event!.body), null, 1);
    expect(() => stripe.webhooks.constructEvent(reserialised, header, secret)).toThrow(
      Stripe.errors.StripeSignatureVerificationError,
    );
    expect(() => stripe.webhooks.constructEvent(event!.body, header, `${secret}x`)).toThrow();
  });

  it('signs according to contract §15.8 and to Standard Webhooks', async () => {
    const issued = await issue('signature');
    const [event] = await until(
      'the event',
      () => attemptsOf(issued.visibleId).length > 0 && attemptsOf(issued.visibleId),
    );
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(event!.headers['service-signature']))!;
    expect(v1).toBe(createHmac('sha256', secret).update(`${t}.${event!.body}`).digest('hex'));
    expect(Math.abs(Number(t) * 1000 - event!.at)).toBeLessThan(2000);
    const verified = new StandardWebhook(secret).verify(
      event!.body,
      event!.headers as Record<string, string>,
    );
    expect(verified).toEqual(JSON.parse(event!.body));
  });

  it('retries by the table, each delay from the previous attempt and never early, then drops', async () => {
    receiver.answerWith((_, response) => void response.writeHead(500).end('no'));
    const issued = await issue('dead endpoint');
    const dropped = () =>
      service.database.query<{ id: number }>(
        `select d.id from webhook_deliveries d join outbox_events e on e.id = d.event_id
          where d.state = 'dropped' and e.body::jsonb #>> '{data,document,id}' = $1`,
        [issued.visibleId],
      );
    await until('the delivery to be dropped', async () => (await dropped()).length === 1, 30_000);
    receiver.answerWith((_, response) => void response.writeHead(200).end());

    const { body } = await service.request<{ data: { droppedInLastDay: number }[] }>('GET', '/webhooks');
    expect(Math.max(...body.data.map(({ droppedInLastDay }) => droppedInLastDay))).toBeGreaterThanOrEqual(1);
    const attempts = attemptsOf(issued.visibleId);
    expect(attempts).toHaveLength(RETRY_DELAYS_MS.length + 1);
    const gaps = attempts.slice(1).map(({ at }, index) => at - attempts[index]!.at);
    for (const [index, gap] of gaps.entries()) {
      expect(gap).toBeGreaterThanOrEqual(RETRY_DELAYS_MS[index]! - 5);
      expect(gap).toBeLessThan(RETRY_DELAYS_MS[index]! + 1000);
    }
    expect(new Set(attempts.map(({ body }) => body)).size).toBe(1);
    for (const { headers, at } of attempts) {
      const t = Number(/t=(\d+)/.exec(String(headers['service-signature']))![1]);
      expect(Math.abs(at / 1000 - t)).toBeLessThan(2);
    }
    const records = await service.database.query(
      `select attempt, status, failure, response from webhook_attempts
        where delivery_id = (select max(id) from webhook_deliveries where state = 'dropped') order by attempt`,
    );
    expect(records).toEqual(
      [1, 2, 3, 4].map((attempt) => ({ attempt, status: 500, failure: 'status', response: 'no' })),
    );
  });

  it('does not follow a redirect, and counts it as a failure (contract §15.10)', async () => {
    let refused = 0;
    receiver.answerWith((event, response) => {
      if (event.path !== '/hook' || refused > 0) return void response.writeHead(200).end();
      refused += 1;
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const issued = await issue('redirect');
    await until('the retry', () => attemptsOf(issued.visibleId).length === 2);
    expect(receiver.received.filter(({ path }) => path === '/elsewhere')).toEqual([]);
    receiver.answerWith((_, response) => void response.writeHead(200).end());
  });

  it('ends an attempt at its timeout, even if data still arrives, and keeps a 2xx that arrived in time', async () => {
    const drips: NodeJS.Timeout[] = [];
    receiver.answerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      drips.push(setInterval(() => response.write('.'), 100));
    });
    const issued = await issue('drip');
    await until('the delivery to end', async () => {
      const rows = await service.database.query(
        `select 1 from webhook_deliveries d join outbox_events e on e.id = d.event_id
          where d.state = 'delivered' and e.body::jsonb #>> '{data,document,id}' = $1`,
        [issued.visibleId],
      );
      return rows.length === 1;
    });
    drips.forEach(clearInterval);
    receiver.answerWith((_, response) => void response.writeHead(200).end());
    expect(attemptsOf(issued.visibleId)).toHaveLength(1);
  });

  it('sends nothing more to a removed endpoint, including retries (contract §15.1)', async () => {
    const second = await service.request<{ id: string }>('POST', '/gateway/webhooks', {
      url: `${receiver.url}/second`,
      events: ['*'],
    });
    receiver.answerWith(
      (event, response) => void response.writeHead(event.path.endsWith('second') ? 500 : 200).end(),
    );
    const issued = await issue('removed');
    const sentToSecond = () =>
      attemptsOf(issued.visibleId).filter(({ path }) => path.endsWith('second')).length;
    await until('the first attempt', () => sentToSecond() === 1);
    expect(await service.request('DELETE', `/webhooks/${second.body.id}`)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    const after = await issue('after the removal');
    await until(
      'the other endpoint to be sent the next event',
      () => attemptsOf(after.visibleId).length === 1,
    );
    await until(
      'the time of the retry to pass',
      () => Date.now() > receiver.received.at(-1)!.at + RETRY_DELAYS_MS[0]! + 300,
    );
    expect(sentToSecond()).toBe(1);
    const open = `select 1 from webhook_deliveries where endpoint_id = $1 and state in ('pending', 'waiting')`;
    expect(await service.database.query(open, [second.body.id])).toEqual([]);
    receiver.answerWith((_, response) => void response.writeHead(200).end());
  });

  it('delivers every event of 200 documents: worker killed five times, store flushed twice', async () => {
    // Fails at the commit, after the number is taken and the event is written.
    await service.database.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'refused at the commit'; end $$;
      create constraint trigger refuse after insert on documents deferrable initially deferred
        for each row when (new.notes = 'refuse') execute function refuse()`);
    let refused = 0;
    const issued: string[] = [];
    const issueAll = async () => {
      for (let index = 0; index < 200; index++) {
        if (index % 10 === 9) {
          const items = [{ description: 'x', quantity: 1, unitPrice: 1 }];
          const refusal = { entityId, items, notes: 'refuse' };
          const { status } = await service.request('POST', '/documents/create/tax-invoice', refusal);
          refused += status === 500 ? 1 : 0;
        }
        issued.push((await issue(`document ${index}`)).visibleId);
      }
    };
    const disturb = async () => {
      for (let round = 0; round < 5; round++) {
        await until('some more documents', () => issued.length >= (round + 1) * 30, 60_000);
        await service.replaceWorker();
        if (store.redisUrl !== null && round % 2 === 1) await flushStore(store);
      }
    };
    await Promise.all([issueAll(), disturb()]);
    expect(issued).toHaveLength(200);
    expect(refused).toBe(20);

    const arrived = () => new Set(receiver.received.map(({ body }) => envelopeOf(body).data.document.id));
    await until('every event', () => issued.every((id) => arrived().has(id)), 45_000);

    const documents = await service.database.query<{ visible_id: string }>(
      'select visible_id from documents',
    );
    const real = new Set(documents.map(({ visible_id }) => visible_id));
    expect([...arrived()].filter((id) => !real.has(id))).toEqual([]);
  });

  /** A paused process keeps its locks. Pausing inside a transaction would also delay the other worker. */
  async function pauseBetweenTransactions(): Promise<void> {
    await until('the worker to be stopped between transactions', async () => {
      service.worker.pause();
      const open = await service.database.query(
        `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
            and application_name <> 'counterfoil-api' and xact_start is not null`,
      );
      if (open.length > 0) service.worker.resume();
      return open.length === 0;
    });
  }

  it('ignores the result of a worker that was suspended past its lease', async () => {
    const held: (() => void)[] = [];
    receiver.answerWith((_, response) => {
      if (held.length > 0) return void response.writeHead(200).end();
      held.push(() => response.writeHead(500).end());
    });
    const issued = await issue('a stopped worker');
    await until('the first attempt', () => held.length === 1);
    await pauseBetweenTransactions();
    held[0]?.();
    const other = await service.startWorkerProcess();
    await until('the other worker to make it', () => attemptsOf(issued.visibleId).length === 2, 30_000);
    const attempts = () =>
      service.database.query(
        `select d.state, d.attempts, a.attempt, a.status from webhook_deliveries d
           join outbox_events e on e.id = d.event_id join webhook_attempts a on a.delivery_id = d.id
          where e.body::jsonb #>> '{data,document,id}' = $1`,
        [issued.visibleId],
      );
    await until('it to be recorded', async () => (await attempts()).length === 1);
    service.worker.resume();
    await until('the late result', () => service.worker.log.includes('a late attempt was not recorded'));
    expect(await attempts()).toEqual([{ state: 'delivered', attempts: 1, attempt: 1, status: 200 }]);
    await other.kill('SIGTERM');
  });

  it('finishes the current delivery when the worker is told to stop', async () => {
    receiver.answerWith((_, response) => void setTimeout(() => response.writeHead(200).end(), 600));
    const issued = await issue('stopping');
    await until('the attempt to begin', () => attemptsOf(issued.visibleId).length === 1);
    expect(await service.worker.kill('SIGTERM')).toBe(0);
    const [delivery] = await service.database.query<{ state: string; attempts: number }>(
      `select d.state, d.attempts from webhook_deliveries d join outbox_events e on e.id = d.event_id
        where e.body::jsonb #>> '{data,document,id}' = $1`,
      [issued.visibleId],
    );
    expect(delivery).toEqual({ state: 'delivered', attempts: 1 });
  });

  it('never prints the secret, and stores it encrypted (contract §15.3)', async () => {
    expect(service.api.log + service.worker.log).not.toContain(secret);
    const [endpoint] = await service.database.query<{ row: string }>(
      'select webhook_endpoints::text as row from webhook_endpoints',
    );
    expect(endpoint!.row).not.toContain(secret);
    const listed = await service.request('GET', '/webhooks');
    expect(JSON.stringify(listed.body)).not.toContain('whsec_');
  });
});
