import { EVENT_CATALOGUE } from '@counterfoil/event-catalogue';
import {
  type EventReceiver,
  queueStores,
  startEventReceiver,
  startService,
  type TestService,
  until,
} from '@counterfoil/test-harness';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { closed } from './documented-schemas';

/** A kind of subscription: its path, its event types, and a pattern of the types that it must get. */
export type Subscription = readonly [path: string, events: readonly string[], gets: RegExp];

/** An event in the outbox. */
export interface WrittenEvent {
  readonly id: string;
  readonly body: string;
}

const typeIn = (body: string) => (JSON.parse(body) as { type: string }).type;

/** A service with a worker, and a receiver with several subscriptions. */
export class EventSubscriptions {
  private constructor(
    readonly service: TestService,
    private readonly receiver: EventReceiver,
    private readonly endpoints: ReadonlyMap<string, { readonly id: string; readonly secret: string }>,
  ) {}

  static async start(subscriptions: readonly Subscription[]): Promise<EventSubscriptions> {
    const receiver = await startEventReceiver();
    const service = await startService(queueStores()[0]!, {
      ...receiver.settings,
    });
    const endpoints = new Map<string, { id: string; secret: string }>();
    for (const [path, events] of subscriptions) {
      const url = new URL(path, receiver.url).href;
      const { status, body } = await service.request<{ id: string; secret: string }>('POST', '/webhooks', {
        ...{ url, events },
      });
      expect(status).toBe(201);
      endpoints.set(path, body);
    }
    return new EventSubscriptions(service, receiver, endpoints);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.receiver.close();
  }

  /** Returns all events of the outbox, in order. */
  written(): Promise<WrittenEvent[]> {
    return this.service.database.query<WrittenEvent>('select id, body from outbox_events order by sequence');
  }

  /** Returns the events that `work` caused, in the order in which they were written. */
  async toldOf<Event>(work: () => Promise<unknown>): Promise<Event[]> {
    const before = (await this.written()).length;
    await work();
    return (await this.written()).slice(before).map(({ body }) => JSON.parse(body) as Event);
  }

  /** Asserts that all events of the subscription arrive, byte for byte and signed, and no others. */
  async expectArrived([path, , gets]: Subscription, written: readonly WrittenEvent[]): Promise<void> {
    const expected = written.filter(({ body }) => gets.test(typeIn(body)));
    expect(expected.length).toBeGreaterThan(0);
    const { id, secret } = this.endpoints.get(path)!;
    const bodyOf = new Map(written.map((event) => [event.id, event.body]));
    const arrived = () => this.receiver.received.filter((event) => event.path === path);
    const ids = () => new Set(arrived().map(({ headers }) => String(headers['service-event-id'])));
    await until('every event', () => ids().size >= expected.length, 30_000);
    expect([...ids()].sort()).toEqual(expected.map((event) => event.id).sort());
    for (const { headers, body } of arrived()) {
      expect(body).toBe(bodyOf.get(String(headers['service-event-id'])));
      expect(headers['service-event-type']).toBe(typeIn(body));
      new StandardWebhook(secret).verify(body, headers as Record<string, string>);
    }
    // The relay has processed all events, and no delivery is pending.
    const deliveries = await this.service.request('GET', `/webhooks/${id}/deliveries?limit=1`);
    expect(deliveries.body).toMatchObject({ pagination: { total: expected.length } });
  }

  /**
   * Asserts that each body matches the schema of its type in the catalogue without additional fields, and
   * matches no other of `types`.
   */
  async expectToFit(written: readonly WrittenEvent[], types: readonly string[]): Promise<void> {
    const { body: catalogue } = await this.service.request<{ data: { type: string; schema: object }[] }>(
      'GET',
      '/webhooks/event-types',
    );
    expect(catalogue.data.map(({ type }) => type)).toEqual(EVENT_CATALOGUE.types);
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
    addFormats.default(ajv);
    const takes = new Map(
      catalogue.data.map(({ type, schema }) => [type, ajv.compile(closed(schema) as object)]),
    );
    for (const { body } of written) {
      const event: unknown = JSON.parse(body);
      const validate = takes.get(typeIn(body))!;
      const taken = validate(event);
      expect({ body, taken, errors: validate.errors }).toEqual({ body, taken: true, errors: null });
      const others = types.filter((type) => type !== typeIn(body));
      expect(others.filter((type) => takes.get(type)!(event))).toEqual([]);
    }
  }
}
