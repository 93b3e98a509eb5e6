import { setTimeout as sleep } from 'node:timers/promises';
import { occurrence, plainDateOf } from '@counterfoil/kernel';
import { EVENT_CATALOGUE } from '@counterfoil/event-catalogue';
import {
  DEMO_KEY,
  type EventReceiver,
  oneQueueStore,
  startEventReceiver,
  startProcesses,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { loseQueue } from './lost-queue';

interface Envelope {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly charge?: { readonly id: number }; readonly refund?: { readonly id: number } };
}
interface Begun {
  readonly chargeId: number;
  readonly refundId: number;
  readonly status: string;
}

const EVENTS = ['charge.succeeded', 'charge.failed', 'charge.captured', 'charge.canceled', 'refund.created'];
const CLIENTS = 8;
const CHARGES_EACH = 25;
const WEEKS = 52;
const PAYMENTS = 12;

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);

describe.each(oneQueueStore())('with the $kind queue, the payment gateway', (store) => {
  let service: ServiceProcesses;
  let receiver: EventReceiver;

  beforeAll(async () => {
    receiver = await startEventReceiver();
    service = await startProcesses(store, {
      ...receiver.settings,
      SCHEDULER_INTERVAL: '500ms',
      WEBHOOK_RETRY_DELAYS: '1s,1s,2s,5s',
    });
    await ok('POST', '/webhooks', { url: receiver.url, events: EVENTS });
  });
  afterAll(async () => {
    await service?.stop();
    await receiver?.close();
  });

  async function ok<T = Begun>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await service.request<T>(method, path, body);
    expect({ path, status: Math.floor(answer.status / 100), body: answer.body }).toMatchObject({ status: 2 });
    return answer.body;
  }
  const card = async (name: string) => {
    const body = { provider: 'sandbox', providerToken: `tok_${name}` };
    return (await ok<{ tokenId: number }>('POST', '/gateway/tokens', body)).tokenId;
  };
  const charge = async (tokenId: number, more: object = {}) =>
    ok('POST', '/gateway/charges', { tokenId, amount: 10, ...more });
  const statusOf = async (id: number) =>
    (await ok<{ status: string }>('GET', `/gateway/charges/${id}`)).status;
  const settled = () =>
    until(
      'nothing waits',
      async () => {
        const waiting = `select 1 from charge_operations where state = 'PENDING' limit 1`;
        return (await service.database.query(waiting)).length === 0;
      },
      30_000,
    );
  /** Makes the unfinished work of killed processes due: started operations and claims. */
  const endClaims = () =>
    service.database.query(
      `update charge_operations set next_attempt_at = now(), lease_token = null, lease_until = null
        where state = 'PENDING'`,
    );
  const count = async (sql: string) =>
    (await service.database.query<{ count: number }>(`select count(*)::int as count from ${sql}`))[0]!.count;

  /** Asserts that the sandbox and the service have the same requests, one for each operation. */
  async function assertBooksAgree(): Promise<void> {
    expect(await count('charge_operations')).toBe(await count('sandbox_orders'));
    const wrong = await service.database.query(
      `select c.id from charges c join lateral (
         select coalesce(sum(s.amount) filter (where s.approved and s.captured), 0) as captured,
                coalesce(sum(s.amount) filter (where s.approved and s.kind = 'REFUND'), 0) as refunded,
                count(*) filter (where s.order_key is null) as lost
           from charge_operations o left join sandbox_orders s on s.order_key = o.provider_key
          where o.charge_id = c.id) books on true
        where books.lost > 0 or (c.captured_amount, c.refunded_amount) <> (books.captured, books.refunded)`,
    );
    expect(wrong).toEqual([]);
  }

  it('settles requests without an answer, even if the queue is lost', async () => {
    const [timeout, lost] = [await card('timeout'), await card('lost')];
    const begun = [await charge(timeout), await charge(lost), await charge(timeout, { capture: false })];
    expect(begun.map(({ status }) => status)).toEqual(['PENDING', 'PENDING', 'PENDING']);
    await loseQueue(store, service);
    await settled();
    const statuses = await Promise.all(begun.map(({ chargeId }) => statusOf(chargeId)));
    expect(statuses).toEqual(['SUCCEEDED', 'FAILED', 'AUTHORIZED']);
    await ok('POST', `/gateway/charges/${begun[0]!.chargeId}/refund`, { amount: 4 });
    await ok('POST', `/gateway/charges/${begun[2]!.chargeId}/capture`, { amount: 6 });
    await loseQueue(store, service);
    await settled();
    const after = await ok<object>('GET', `/gateway/charges/${begun[0]!.chargeId}`);
    expect(after).toMatchObject({ status: 'SUCCEEDED', capturedAmount: 10, refundedAmount: 4 });
    await assertBooksAgree();
  });

  /** Repeats the call with the same key until it is answered. */
  async function chargeSurely(tokenId: number, key: string): Promise<number> {
    for (;;) {
      const answer = await fetch(`${service.url}/gateway/charges`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${DEMO_KEY}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify({ tokenId, amount: 10 }),
      }).catch(() => null);
      if (answer && answer.status < 300) return ((await answer.json()) as Begun).chargeId;
      // In progress: the process was killed, and the outcome is not known yet.
      if (answer && answer.status !== 409) expect(answer.status).toBeGreaterThanOrEqual(500);
      await sleep(50);
    }
  }

  it('charges once for each call, although the API is killed', async () => {
    const cards = [await card('approved'), await card('timeout'), await card('approved')];
    const before = await count('charges');
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      const ids: number[] = [];
      for (let turn = 0; turn < CHARGES_EACH; turn++)
        ids.push(await chargeSurely(cards[turn % cards.length]!, `client-${client}-charge-${turn}`));
      return ids;
    });
    for (let kill = 0; kill < 3; kill++) {
      await sleep(100 + Math.random() * 200);
      await service.replaceApi();
      await endClaims();
    }
    const ids = (await Promise.all(clients)).flat();
    await settled();
    expect(new Set(ids).size).toBe(CLIENTS * CHARGES_EACH);
    expect((await count('charges')) - before).toBe(CLIENTS * CHARGES_EACH);
    expect(await count(`charges where status <> 'SUCCEEDED' and id = any ('{${ids.join()}}')`)).toBe(0);
    await assertBooksAgree();
    for (const [index, id] of ids.slice(0, CHARGES_EACH).entries())
      expect(await chargeSurely(cards[index % cards.length]!, `client-0-charge-${index}`)).toBe(id);
  });

  it('charges recurring payments once for each due day, although workers are killed', async () => {
    const today = plainDateOf(new Date());
    const nextRunDate = occurrence(today, 'WEEKLY', -WEEKS);
    const days = Array.from({ length: WEEKS + 1 }, (_, week) => occurrence(nextRunDate, 'WEEKLY', week));
    const names = ['approved', 'declined', 'timeout'];
    const made: number[] = [];
    for (let index = 0; index < PAYMENTS; index++) {
      const asked = { tokenId: await card(names[index % 3]!), amount: 5, interval: 'WEEKLY', nextRunDate };
      const path = '/gateway/recurring-payments';
      made.push((await ok<{ recurringPaymentId: number }>('POST', path, asked)).recurringPaymentId);
    }
    const other = await service.startWorkerProcess();
    for (let kill = 0; kill < 4; kill++) {
      await sleep(Math.random() * 500);
      if (kill === 2) await loseQueue(store, service);
      await service.replaceWorker();
    }
    await other.kill('SIGKILL');
    const due = `schedules where ended_at is null and next_run_date <= '${today}'`;
    await until('nothing is due', async () => (await count(due)) === 0, 60_000);
    await endClaims();
    await settled();
    for (const id of made) {
      const charged = await service.database.query<{ day: string }>(
        'select run_date::text as day from charges where recurring_payment_id = $1 order by id',
        [id],
      );
      expect(charged.map(({ day }) => day)).toEqual(days);
    }
    await assertBooksAgree();
  });

  it('reports each change once, according to the schema', async () => {
    await settled();
    const told = () =>
      new Map(receiver.received.map(({ body }) => [(JSON.parse(body) as Envelope).id, body]));
    const written = await service.database.query<{ id: string }>(
      'select id from outbox_events where type = any ($1)',
      [EVENTS],
    );
    await until('every event', () => written.every(({ id }) => told().has(id)), 60_000);
    const events = [...told().values()].map((body) => JSON.parse(body) as Envelope);
    expect(events).toHaveLength(written.length);
    const changes = events.map(({ type, data }) => [type, data.charge?.id, data.refund?.id].join());
    expect(new Set(changes).size).toBe(changes.length);
    const begun = await count(`charge_operations where kind in ('SALE', 'AUTHORIZATION')`);
    const changed = await count(
      `charge_operations where state = 'SUCCEEDED' and kind not in ('SALE', 'AUTHORIZATION')`,
    );
    expect(events).toHaveLength(begun + changed);
    const checks = new Map(
      EVENTS.filter((type) => EVENT_CATALOGUE.has(type)).map((type) => [
        type,
        ajv.compile(EVENT_CATALOGUE.find(type).schema),
      ]),
    );
    expect(events.filter((event) => !checks.get(event.type as never)?.(event))).toEqual([]);
  });
});
