import { AuditLogModule } from '@counterfoil/audit-log';
import { type Config, ConfigModule } from '@counterfoil/config';
import { DatabaseModule } from '@counterfoil/database';
import { DocumentsModule, RetainersModule } from '@counterfoil/documents';
import { EVENT_CATALOGUE } from '@counterfoil/event-catalogue';
import { PublishedRatesModule, ReceiptReadingModule } from '@counterfoil/expenses';
import { FilesModule } from '@counterfoil/files';
import { IdempotencyModule } from '@counterfoil/idempotency';
import { releaseVersion } from '@counterfoil/lifecycle';
import { MailDeliveryModule, MailQueueModule } from '@counterfoil/mail';
import { ObservabilityModule } from '@counterfoil/observability';
import { OutboxModule } from '@counterfoil/outbox';
import { PaymentsModule } from '@counterfoil/payments';
import { QueueModule } from '@counterfoil/queue';
import { PurgeRateCounters } from '@counterfoil/rate-limits';
import { RenderingModule } from '@counterfoil/renditions';
import { RequestLogModule } from '@counterfoil/request-log';
import { JOBS } from '@counterfoil/schema';
import { SchedulingModule } from '@counterfoil/scheduling';
import { TracingModule } from '@counterfoil/tracing';
import { WebhooksModule } from '@counterfoil/webhooks';
import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseMetrics } from './database-metrics';
import { EventRelay } from './event-relay';
import { Registry } from './registry';
import { WorkerHealth } from './worker-health';
import { WorkerRunner } from './worker-runner';

/** The composition root of the worker: it runs jobs and takes no requests. */
@Module({})
export class WorkerModule {
  static register(config: Config): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.register(config),
        ObservabilityModule.register('worker'),
        TracingModule.register({ name: 'worker', version: releaseVersion() }),
        DatabaseModule.register('counterfoil-worker'),
        QueueModule.register(JOBS),
        OutboxModule,
        AuditLogModule,
        RequestLogModule,
        FilesModule,
        IdempotencyModule,
        SchedulingModule,
        DocumentsModule,
        RetainersModule.register(MailQueueModule),
        PaymentsModule,
        PublishedRatesModule,
        ReceiptReadingModule,
        RenderingModule,
        MailDeliveryModule,
        WebhooksModule.register(EVENT_CATALOGUE),
      ],
      providers: [DatabaseMetrics, EventRelay, PurgeRateCounters, Registry, WorkerHealth, WorkerRunner],
    };
  }
}
