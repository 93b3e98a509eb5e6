import { type Config, ConfigModule } from '@counterfoil/config';
import { DatabaseModule } from '@counterfoil/database';
import { DocumentsModule } from '@counterfoil/documents';
import { PublishedRatesModule, ReceiptReadingModule } from '@counterfoil/expenses';
import { FilesModule } from '@counterfoil/files';
import { ObservabilityModule } from '@counterfoil/observability';
import { OutboxModule } from '@counterfoil/outbox';
import { PaymentsModule } from '@counterfoil/payments';
import { QueueModule } from '@counterfoil/queue';
import { SchedulingModule } from '@counterfoil/scheduling';
import { WebhooksModule } from '@counterfoil/webhooks';
import { type DynamicModule, Module } from '@nestjs/common';
import { EventRelay } from './event-relay';
import { Handlers } from './handlers';
import { Housekeeping } from './housekeeping';
import { Schedule } from './schedule';
import { ScheduledWorks } from './scheduled-works';
import { Sweeps } from './sweeps';
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
        DatabaseModule.register('counterfoil-worker'),
        QueueModule,
        OutboxModule,
        FilesModule,
        SchedulingModule,
        DocumentsModule,
        PaymentsModule,
        PublishedRatesModule,
        ReceiptReadingModule,
        WebhooksModule,
      ],
      providers: [EventRelay, Handlers, Housekeeping, Schedule, ScheduledWorks, Sweeps, WorkerRunner],
    };
  }
}
