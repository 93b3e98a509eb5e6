import { randomUUID } from 'node:crypto';
import { Presence } from '@counterfoil/database';
import { type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { type EventType, Outbox } from '@counterfoil/outbox';
import { Log } from '@counterfoil/observability';
import { JobQueue } from '@counterfoil/queue';
import {
  type OpenContext,
  openTestContext,
  SetClock,
  startTestContext,
  type TestContext,
  until,
} from '@counterfoil/test-harness';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { AttemptDelivery } from '../application/attempt-delivery';
import { AttemptRecorder } from '../application/attempt-recorder';
import { DeliveryBudget } from '../application/delivery-budget';
import { EndpointDispatcher } from '../application/endpoint-dispatcher';
import { FanOutEvents } from '../application/fan-out-events';
import { DeliveryWakeups } from '../application/delivery-wakeups';
import { DeliveryRepository } from '../application/ports/delivery.repository';
import { RegisterEndpoint, type RegisteredEndpoint } from '../application/register-endpoint';
import { WebhookSender } from '../application/ports/webhook-sender';
import type { DeliveryState } from '../domain/delivery';
import { WebhooksModule } from '../webhooks.module';
import { ACKNOWLEDGED, FakeSender } from './fake-sender';
import { anEvent, FEW_EVENTS } from './few-events';
import { RecordingQueue } from './recording-queue';

const STOP_LIMIT_MS = 5_000;

export interface DeliveryRow {
  readonly id: number;
  readonly eventId: string;
  readonly endpointId: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly tries: number;
  readonly next: Date | null;
}

/** Webhooks on a real database, with a fake clock, queue and receivers. */
export class DeliveryWorld {
  private readonly otherWorkers: EndpointDispatcher[] = [];

  private constructor(
    readonly context: TestContext,
    readonly sender: FakeSender,
    readonly clock: SetClock,
    readonly queue: RecordingQueue,
    private readonly commanded: (builder: TestingModuleBuilder) => TestingModuleBuilder,
  ) {}

  static async open(env: Readonly<Record<string, string>> = {}): Promise<DeliveryWorld> {
    const [sender, clock, queue] = [new FakeSender(), new SetClock(), new RecordingQueue()];
    const commanded = (builder: TestingModuleBuilder) =>
      builder
        .overrideProvider(WebhookSender)
        .useValue(sender)
        .overrideProvider(Clock)
        .useValue(clock)
        .overrideProvider(JobQueue)
        .useValue(queue);
    const context = await startTestContext([WebhooksModule.register(FEW_EVENTS)], commanded, env);
    return new DeliveryWorld(context, sender, clock, queue, commanded);
  }

  /** Opens a second process on the same database and receivers. Resolves when both know of each other. */
  async openBeside(): Promise<OpenContext> {
    const { context } = this;
    const modules = [WebhooksModule.register(FEW_EVENTS)];
    const beside = await openTestContext(context.config, modules, this.commanded);
    const both = [context, beside].map((one) => one.get(Presence));
    for (const presence of both) presence.start(() => Promise.resolve());
    await until('both to be known', () => both.every(({ processes }) => processes === 2));
    return beside;
  }

  /** Resets the state that earlier tests left. */
  async reset(): Promise<void> {
    this.sender.sent.length = 0;
    this.sender.answer = () => ACKNOWLEDGED;
    this.queue.reset();
    await this.context.database.query(
      'truncate webhook_endpoints, webhook_deliveries, webhook_attempts, outbox_events cascade',
    );
  }

  async givenCaller(): Promise<Caller> {
    const [row] = await this.context.database.query<{ id: number }>(
      `insert into companies (name, created_at) values ('Acme', now()) returning id::int`,
    );
    return { companyId: row?.id ?? 0, userId: 1, apiKeyId: 1, role: 'owner' };
  }

  register(
    by: Caller,
    events: string[] = ['*'],
    url = 'https://example.com/hooks',
  ): Promise<RegisteredEndpoint> {
    return this.context.get(RegisterEndpoint).execute(by, { url, events });
  }

  /** Commits an event and returns its id. */
  async happen(by: Caller, type: EventType = 'document.created'): Promise<string> {
    const mark = randomUUID();
    await this.context
      .get(Transactions)
      .run((tx) => this.context.get(Outbox).append(tx, by.companyId, [anEvent(type, { mark })]));
    const [event] = await this.context.database.query<{ id: string }>(
      `select id from outbox_events where body::jsonb #>> '{data,mark}' = $1`,
      [mark],
    );
    if (!event) throw new Error('the event is not there');
    return event.id;
  }

  /** Relays the events, and waits until nothing more can be sent now and all retries are queued. */
  async relay(): Promise<void> {
    await this.context.get(FanOutEvents).execute();
    await this.settle();
  }

  /** Runs the job of an endpoint, and waits until nothing more can be sent now. */
  async wake(by: Caller, endpointId: string): Promise<void> {
    this.lanes.wake([{ endpointId, companyId: by.companyId }]);
    await this.settle();
  }

  private async settle(): Promise<void> {
    await this.lanes.settled();
    await this.context.get(DeliveryWakeups).addGathered();
  }

  get lanes(): EndpointDispatcher {
    return this.context.get(EndpointDispatcher);
  }

  /** The dispatcher of another worker with enough slots to use up those of an endpoint. */
  anotherWorker(): EndpointDispatcher {
    const { context, clock } = this;
    const dispatcher = new EndpointDispatcher(
      { ...context.config, workerConcurrency: 300 },
      context.get(DeliveryRepository),
      context.get(AttemptDelivery),
      context.get(AttemptRecorder),
      context.get(DeliveryBudget),
      context.get(DeliveryWakeups),
      clock,
      context.get(Log),
    );
    this.otherWorkers.push(dispatcher);
    return dispatcher;
  }

  deliveries(by: Caller): Promise<DeliveryRow[]> {
    return this.context.database.query<DeliveryRow>(
      `select id::int, event_id as "eventId", endpoint_id as "endpointId", state, attempts, tries,
              next_attempt_at as next
         from webhook_deliveries where company_id = $1 order by id`,
      [by.companyId],
    );
  }

  async onlyDelivery(by: Caller): Promise<DeliveryRow> {
    const [delivery, ...others] = await this.deliveries(by);
    if (!delivery || others.length > 0) throw new Error('expected one delivery');
    return delivery;
  }

  async close(): Promise<void> {
    const dispatchers = [this.lanes, ...this.otherWorkers];
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop(STOP_LIMIT_MS)));
    await this.context.close();
  }
}
