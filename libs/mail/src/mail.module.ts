import { DocumentsModule } from '@counterfoil/documents';
import { IdempotencyModule } from '@counterfoil/idempotency';
import { Module } from '@nestjs/common';
import { PostgresMailReader } from './adapters/postgres/postgres-mail.reader';
import { PostgresReminders } from './adapters/postgres/postgres-reminders';
import { DocumentReminders } from './application/document-reminders';
import { MailReader } from './application/ports/mail.reader';
import { Reminders } from './application/ports/reminders';
import { SendDocument } from './application/send-document';
import { MailQueueModule } from './mail-queue.module';

/** Sends documents at the request of callers, and lists the mails; used by the API. */
@Module({
  imports: [DocumentsModule, IdempotencyModule, MailQueueModule],
  providers: [
    DocumentReminders,
    SendDocument,
    { provide: MailReader, useClass: PostgresMailReader },
    { provide: Reminders, useClass: PostgresReminders },
  ],
  exports: [DocumentReminders, MailReader, SendDocument],
})
export class MailModule {}
