import { Module } from '@nestjs/common';
import { OutboundHttpModule } from '@counterfoil/outbound-http';
import { TypeOrmModule } from '@nestjs/typeorm';
import { HttpWebhookSender } from './adapters/http/http-webhook-sender';
import { PostgresDeliveryRepository } from './adapters/postgres/postgres-delivery.repository';
import { PostgresEndpointReader } from './adapters/postgres/postgres-endpoint.reader';
import { PostgresEndpointRepository } from './adapters/postgres/postgres-endpoint.repository';
import { EndpointSchema } from './adapters/postgres/webhook.schema';
import { DeliverWebhook } from './application/deliver-webhook';
import { DeliveryJobs } from './application/delivery-jobs';
import { FanOutEvents } from './application/fan-out-events';
import { DeliveryRepository } from './application/ports/delivery.repository';
import { EndpointReader } from './application/ports/endpoint.reader';
import { EndpointRepository } from './application/ports/endpoint.repository';
import { WebhookSender } from './application/ports/webhook-sender';
import { RegisterEndpoint } from './application/register-endpoint';
import { RemoveEndpoint } from './application/remove-endpoint';
import { SigningSecrets } from './application/signing-secrets';
import { SweepDeliveries } from './application/sweep-deliveries';

const USE_CASES = [DeliverWebhook, FanOutEvents, RegisterEndpoint, RemoveEndpoint, SweepDeliveries];

@Module({
  imports: [OutboundHttpModule, TypeOrmModule.forFeature([EndpointSchema])],
  providers: [
    ...USE_CASES,
    DeliveryJobs,
    SigningSecrets,
    { provide: EndpointRepository, useClass: PostgresEndpointRepository },
    { provide: EndpointReader, useClass: PostgresEndpointReader },
    { provide: DeliveryRepository, useClass: PostgresDeliveryRepository },
    { provide: WebhookSender, useClass: HttpWebhookSender },
  ],
  exports: [...USE_CASES, EndpointReader],
})
export class WebhooksModule {}
