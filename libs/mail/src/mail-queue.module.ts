import { Config } from '@counterfoil/config';
import { RetainerMails } from '@counterfoil/documents';
import { IdentityModule } from '@counterfoil/identity';
import { Log } from '@counterfoil/observability';
import { HandOverModule } from '@counterfoil/renditions';
import { Module } from '@nestjs/common';
import { configuredMailServer } from './adapters/configured-mail-server';
import { PostgresMails } from './adapters/postgres/postgres-mails';
import { MailJobs } from './application/mail-jobs';
import { MailQuota } from './application/mail-quota';
import { MailRetainerDocuments } from './application/mail-retainer-documents';
import { MailServer } from './application/ports/mail-server';
import { Mails } from './application/ports/mails';
import { QueueMails } from './application/queue-mails';

/** Queues mails, also those of retainers; used by the API and the worker. */
@Module({
  imports: [HandOverModule, IdentityModule],
  providers: [
    MailJobs,
    MailQuota,
    QueueMails,
    { provide: Mails, useClass: PostgresMails },
    { provide: MailServer, inject: [Config, Log], useFactory: configuredMailServer },
    { provide: RetainerMails, useClass: MailRetainerDocuments },
  ],
  exports: [MailJobs, MailQuota, Mails, MailServer, QueueMails, RetainerMails],
})
export class MailQueueModule {}
