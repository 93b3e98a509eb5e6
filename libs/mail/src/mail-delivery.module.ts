import { DocumentsModule } from '@counterfoil/documents';
import { RenderingModule } from '@counterfoil/renditions';
import { Module } from '@nestjs/common';
import { PostgresReminders } from './adapters/postgres/postgres-reminders';
import { AttemptMail } from './application/attempt-mail';
import { CheckMail } from './application/check-mail';
import { DeliverMail } from './application/deliver-mail';
import { Reminders } from './application/ports/reminders';
import { QueueReminders } from './application/queue-reminders';
import { RecordMail } from './application/record-mail';
import { RecoverMails } from './application/recover-mails';
import { ReminderJobs } from './application/reminder-jobs';
import { MailQueueModule } from './mail-queue.module';

/** Sends mails; used by the worker. */
@Module({
  imports: [DocumentsModule, MailQueueModule, RenderingModule],
  providers: [
    AttemptMail,
    CheckMail,
    DeliverMail,
    QueueReminders,
    RecordMail,
    RecoverMails,
    ReminderJobs,
    { provide: Reminders, useClass: PostgresReminders },
  ],
  exports: [DeliverMail, QueueReminders, RecoverMails, ReminderJobs],
})
export class MailDeliveryModule {}
