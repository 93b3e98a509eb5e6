import { Config } from '@counterfoil/config';
import { DocumentsModule } from '@counterfoil/documents';
import { Log } from '@counterfoil/observability';
import { RenderingModule } from '@counterfoil/renditions';
import { Module } from '@nestjs/common';
import { configuredMailServer } from './adapters/configured-mail-server';
import { PostgresMails } from './adapters/postgres/postgres-mails';
import { AttemptMail } from './application/attempt-mail';
import { DeliverMail } from './application/deliver-mail';
import { MailJobs } from './application/mail-jobs';
import { MailServer } from './application/ports/mail-server';
import { Mails } from './application/ports/mails';
import { RecordMail } from './application/record-mail';
import { RecoverMails } from './application/recover-mails';

/** Sends mails; used by the worker. */
@Module({
  imports: [DocumentsModule, RenderingModule],
  providers: [
    AttemptMail,
    DeliverMail,
    MailJobs,
    RecordMail,
    RecoverMails,
    { provide: Mails, useClass: PostgresMails },
    { provide: MailServer, inject: [Config, Log], useFactory: configuredMailServer },
  ],
  exports: [DeliverMail, RecoverMails],
})
export class MailDeliveryModule {}
