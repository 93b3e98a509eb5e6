import { IdempotencyModule } from '@counterfoil/idempotency';
import { OutboundHttpModule } from '@counterfoil/outbound-http';
import { EventCatalogue } from '@counterfoil/outbox';
import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { HttpWebhookSender } from './adapters/http/http-webhook-sender';
import { PostgresBudgetRepository } from './adapters/postgres/postgres-budget.repository';
import { PostgresDeliveryReader } from './adapters/postgres/postgres-delivery.reader';
import { PostgresDeliveryRepository } from './adapters/postgres/postgres-delivery.repository';
import { PostgresEndpointReader } from './adapters/postgres/postgres-endpoint.reader';
import { PostgresEndpointRepository } from './adapters/postgres/postgres-endpoint.repository';
import { PostgresRedeliveryRepository } from './adapters/postgres/postgres-redelivery.repository';
import { EndpointSchema } from './adapters/postgres/webhook.schema';
import { AttemptDelivery } from './application/attempt-delivery';
import { AttemptRecorder } from './application/attempt-recorder';
import { DeliveryBudget } from './application/delivery-budget';
import { EndpointDispatcher } from './application/endpoint-dispatcher';
import { EventStreams } from './application/event-streams';
import { FailingEndpoints } from './application/failing-endpoints';
import { FanOutEvents } from './application/fan-out-events';
import { DeliveryWakeups } from './application/delivery-wakeups';
import { PauseEndpoint } from './application/pause-endpoint';
import { BudgetRepository } from './application/ports/budget.repository';
import { DeliveryReader } from './application/ports/delivery.reader';
import { DeliveryRepository } from './application/ports/delivery.repository';
import { EndpointReader } from './application/ports/endpoint.reader';
import { EndpointRepository } from './application/ports/endpoint.repository';
import { RedeliveryRepository } from './application/ports/redelivery.repository';
import { WebhookSender } from './application/ports/webhook-sender';
import { PurgeDeliveries } from './application/purge-deliveries';
import { ReadDeliveries } from './application/read-deliveries';
import { RegisterEndpoint } from './application/register-endpoint';
import { RemoveEndpoint } from './application/remove-endpoint';
import { RedeliverDelivery } from './application/redeliver-delivery';
import { RotateSecret } from './application/rotate-secret';
import { RunRedelivery } from './application/run-redelivery';
import { SendTestEvent } from './application/send-test-event';
import { InFlightBarrier } from './application/in-flight-barrier';
import { SigningSecrets } from './application/signing-secrets';
import { StartRedelivery } from './application/start-redelivery';
import { RecoverDeliveries } from './application/recover-deliveries';
import { StreamCursors } from './application/stream-cursors';
import { StreamSecrets } from './application/stream-secrets';
import { TakeOverDeliveries } from './application/take-over-deliveries';
import { UpdateEndpoint } from './application/update-endpoint';

const USE_CASES = [
  EndpointDispatcher,
  EventStreams,
  FanOutEvents,
  PauseEndpoint,
  PurgeDeliveries,
  ReadDeliveries,
  RegisterEndpoint,
  RemoveEndpoint,
  RedeliverDelivery,
  RotateSecret,
  RunRedelivery,
  SendTestEvent,
  StartRedelivery,
  RecoverDeliveries,
  TakeOverDeliveries,
  UpdateEndpoint,
];

@Module({
  imports: [OutboundHttpModule, IdempotencyModule, TypeOrmModule.forFeature([EndpointSchema])],
  providers: [
    ...USE_CASES,
    AttemptDelivery,
    AttemptRecorder,
    DeliveryBudget,
    FailingEndpoints,
    DeliveryWakeups,
    InFlightBarrier,
    SigningSecrets,
    StreamCursors,
    StreamSecrets,
    { provide: EndpointRepository, useClass: PostgresEndpointRepository },
    { provide: EndpointReader, useClass: PostgresEndpointReader },
    { provide: DeliveryRepository, useClass: PostgresDeliveryRepository },
    { provide: DeliveryReader, useClass: PostgresDeliveryReader },
    { provide: BudgetRepository, useClass: PostgresBudgetRepository },
    { provide: RedeliveryRepository, useClass: PostgresRedeliveryRepository },
    { provide: WebhookSender, useClass: HttpWebhookSender },
  ],
  exports: [...USE_CASES, EndpointReader],
})
export class WebhooksModule {
  /** @param catalogue all event types that an endpoint may subscribe to */
  static register(catalogue: EventCatalogue): DynamicModule {
    return { module: WebhooksModule, providers: [{ provide: EventCatalogue, useValue: catalogue }] };
  }
}
