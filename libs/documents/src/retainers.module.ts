import { IdempotencyModule } from '@counterfoil/idempotency';
import { SchedulingModule } from '@counterfoil/scheduling';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { PostgresRetainerReader } from './adapters/postgres/postgres-retainer.reader';
import { BillRetainer } from './application/bill-retainer';
import { CreateRetainer } from './application/create-retainer';
import { EndRetainer } from './application/end-retainer';
import { RetainerReader } from './application/ports/retainer.reader';
import { DocumentsModule } from './documents.module';

const USE_CASES = [BillRetainer, CreateRetainer, EndRetainer];

/** Retainers: documents that are issued at intervals. */
@Module({})
export class RetainersModule {
  /** @param mails exports `RetainerMails`: the lib `mail` asks this one, and not the other way round */
  static register(mails: Type): DynamicModule {
    return {
      module: RetainersModule,
      imports: [DocumentsModule, IdempotencyModule, SchedulingModule, mails],
      providers: [...USE_CASES, { provide: RetainerReader, useClass: PostgresRetainerReader }],
      exports: [...USE_CASES, RetainerReader],
    };
  }
}
