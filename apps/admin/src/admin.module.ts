import { AuditLogModule } from '@counterfoil/audit-log';
import { CompanyDataModule } from '@counterfoil/company-data';
import { type Config, ConfigModule } from '@counterfoil/config';
import { DatabaseModule, NO_LIMIT } from '@counterfoil/database';
import { DocumentCountsModule, SealedRefreshTokensModule } from '@counterfoil/documents';
import { ExchangeRatesModule } from '@counterfoil/expenses';
import { FilesModule } from '@counterfoil/files';
import { IdentityModule } from '@counterfoil/identity';
import { StockAuditModule } from '@counterfoil/inventory';
import { ObservabilityModule } from '@counterfoil/observability';
import { OutboxModule } from '@counterfoil/outbox';
import { SealedCardsModule } from '@counterfoil/payments';
import { SealedEndpointsModule } from '@counterfoil/webhooks';
import { type DynamicModule, Module } from '@nestjs/common';
import { UnsignalledQueueModule } from './unsignalled-queue.module';

/** The composition root of the commands. */
@Module({})
export class AdminModule {
  static register(config: Config): DynamicModule {
    return {
      module: AdminModule,
      imports: [
        ConfigModule.register(config),
        // Standard output is for what the command answers.
        ObservabilityModule.register('admin', process.stderr),
        DatabaseModule.register('counterfoil-admin', NO_LIMIT),
        UnsignalledQueueModule,
        OutboxModule,
        AuditLogModule,
        IdentityModule,
        CompanyDataModule,
        DocumentCountsModule,
        FilesModule,
        ExchangeRatesModule,
        StockAuditModule,
        SealedEndpointsModule,
        SealedCardsModule,
        SealedRefreshTokensModule,
      ],
    };
  }
}
