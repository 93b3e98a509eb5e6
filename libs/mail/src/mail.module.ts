import { Config } from '@counterfoil/config';
import { DocumentsModule } from '@counterfoil/documents';
import { IdempotencyModule } from '@counterfoil/idempotency';
import { Log } from '@counterfoil/observability';
import { Module } from '@nestjs/common';
import { configuredMailServer } from './adapters/configured-mail-server';
import { PostgresMailReader } from './adapters/postgres/postgres-mail.reader';
import { PostgresMails } from './adapters/postgres/postgres-mails';
import { MailJobs } from './application/mail-jobs';
import { MailReader } from './application/ports/mail.reader';
import { MailServer } from './application/ports/mail-server';
import { Mails } from './application/ports/mails';
import { SendDocument } from './application/send-document';

/** Queues mails and lists them; used by the API. */
@Module({
  imports: [DocumentsModule, IdempotencyModule],
  providers: [
    MailJobs,
    SendDocument,
    { provide: Mails, useClass: PostgresMails },
    { provide: MailReader, useClass: PostgresMailReader },
    { provide: MailServer, inject: [Config, Log], useFactory: configuredMailServer },
  ],
  exports: [MailReader, SendDocument],
})
export class MailModule {}
