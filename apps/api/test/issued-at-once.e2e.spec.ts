import { randomUUID } from 'node:crypto';
import {
  bodyOf,
  type Created,
  type Customer,
  issue,
  ITEM,
  type Json,
  newCompany,
  send,
  serveDocuments,
  service,
} from './document-calls';
import { expectError } from './error-body';
import type { Answer } from './http-exchange';

serveDocuments();

describe('concurrent issuing', () => {
  const CLIENTS = 50;

  /** Runs all clients concurrently. Each makes its calls one after the other. */
  const together = <T>(work: (client: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)));

  const oneTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  interface Told {
    readonly visible_id: string;
    readonly number: number;
    readonly type: string;
    readonly events: number;
  }

  /** Returns all documents of a company, with the number of their `document.created` events. */
  async function documentsOf({ entityId }: Customer): Promise<Told[]> {
    return service.database.query<Told>(
      `with told as (
         select body::jsonb #>> '{data,document,id}' as visible_id from outbox_events where type = 'document.created')
       select d.visible_id, d.number::int, d.type, count(told.visible_id)::int as events
         from documents d left join told on told.visible_id = d.visible_id::text
        where d.company_id = (select company_id from entities where id = $1)
        group by d.id order by d.type, d.number`,
      [entityId],
    );
  }

  async function eventsOf({ entityId }: Customer): Promise<number> {
    const [row] = await service.database.query<{ count: number }>(
      `select count(*)::int from outbox_events
        where company_id = (select company_id from entities where id = $1)`,
      [entityId],
    );
    return row!.count;
  }

  /** Asserts that the numbers of each type have no gaps, and that each document has exactly one event. */
  async function expectWhole(customer: Customer, expected: Readonly<Record<string, number>>): Promise<void> {
    const documents = await documentsOf(customer);
    for (const [type, count] of Object.entries(expected)) {
      const numbers = documents.filter((one) => one.type === type).map(({ number }) => number);
      expect({ type, numbers }).toEqual({ type, numbers: oneTo(count) });
    }
    expect(documents.filter(({ events }) => events !== 1)).toEqual([]);
    expect(await eventsOf(customer)).toBe(documents.length);
  }

  it('has no gaps and no repeated numbers, and a call that fails returns its number', async () => {
    const customer = await newCompany();
    await service.database.query(
      `create function refuse_half_way() returns trigger language plpgsql as $$ begin
         raise exception 'refused half way'; end $$`,
    );
    await service.database.query(
      `create trigger refuse_half_way before insert on document_items for each row
         when (new.description = 'refuse half way') execute function refuse_half_way()`,
    );
    const EACH = 20;
    const answers = await together(async (client) => {
      const received: Answer[] = [];
      for (let n = 0; n < EACH; n++) {
        const refused = (client + n) % 10 === 0;
        const items = [ITEM, { ...ITEM, description: refused ? 'refuse half way' : 'x' }];
        const body = bodyOf(customer, 'TAX_INVOICE', { items });
        received.push(await send(customer, 'POST', '/documents/create/tax-invoice', body));
      }
      return received;
    });
    const all = answers.flat();
    const created = all.filter(({ status }) => status === 201).map(({ text }) => JSON.parse(text) as Created);
    const failed = all.filter(({ status }) => status !== 201);
    expect([created.length, failed.length]).toEqual([900, 100]);
    // An unexpected database error is an internal error, and its answer reveals nothing.
    for (const answer of failed) expectError(answer, { status: 500, code: 'INTERNAL' });

    expect(created.map(({ number }) => number).sort((a, b) => a - b)).toEqual(oneTo(900));
    await expectWhole(customer, { TAX_INVOICE: 900 });
    const stored = await documentsOf(customer);
    expect(stored.map(({ visible_id }) => visible_id).sort()).toEqual(
      created.map(({ visibleId }) => visibleId).sort(),
    );
  });

  it('with one externalId creates one document, and the others get it', async () => {
    const customer = await newCompany();
    const externalId = randomUUID();
    const body = bodyOf(customer, 'TAX_INVOICE', { externalId });
    const answers = await together(() => send(customer, 'POST', '/documents/create/tax-invoice', body));
    const read201 = answers.filter(({ status }) => status === 201);
    const read200 = answers
      .filter(({ status }) => status === 200)
      .map(({ text }) => JSON.parse(text) as Json);
    expect([read201.length, read200.length]).toEqual([1, CLIENTS - 1]);
    const { id, visibleId, number } = JSON.parse(read201[0]!.text) as Created;
    for (const existing of read200)
      expect(existing).toMatchObject({ id, visibleId, number, alreadyExists: true });
    expect((await issue(customer, 'TAX_INVOICE')).number).toBe(2);
    await expectWhole(customer, { TAX_INVOICE: 2 });
  });

  it('of two types with one externalId creates one document, and leaves no gap', async () => {
    const customer = await newCompany();
    const RACES = 50;
    const answers = await Promise.all(
      Array.from({ length: RACES }, (_, race) =>
        Promise.all(
          ['ORDER', 'QUOTE'].map((type) =>
            send(
              customer,
              'POST',
              `/documents/create/${type}`,
              bodyOf(customer, type, { externalId: `race ${race}` }),
            ),
          ),
        ),
      ),
    );
    const winners: Json[] = [];
    for (const pair of answers) {
      expect(pair.map(({ status }) => status).sort()).toEqual([200, 201]);
      const [first, second] = pair.map(({ text }) => JSON.parse(text) as Json);
      expect(first!['id']).toBe(second!['id']);
      winners.push(first!);
    }
    const won = (type: string) => winners.filter((winner) => winner['type'] === type).length;
    await expectWhole(customer, { ORDER: won('ORDER'), QUOTE: won('QUOTE') });
    for (const type of ['ORDER', 'QUOTE']) expect((await issue(customer, type)).number).toBe(won(type) + 1);
  });

  it('with refused calls leaves no gap', async () => {
    const customer = await newCompany();
    const refusals: object[] = [
      { items: [] },
      { items: [{ ...ITEM, quantity: 0 }] },
      { entityId: 999_999 },
      { dueDate: '2000-01-01' },
      { items: [{ ...ITEM, productId: 1 }] },
    ];
    const statuses = await together(async (client) => {
      const refused = bodyOf(customer, 'QUOTE', refusals[client % refusals.length]);
      const [no, yes] = await Promise.all([
        send(customer, 'POST', '/documents/create/quote', refused),
        send(customer, 'POST', '/documents/create/quote', bodyOf(customer, 'QUOTE')),
      ]);
      return [no.status, yes.status];
    });
    expect(statuses).toEqual(oneTo(CLIENTS).map(() => [400, 201]));
    await expectWhole(customer, { QUOTE: CLIENTS });
  });
});
