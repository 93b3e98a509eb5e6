export { MAIL_COMPANY_DATA } from './adapters/postgres/company-data.sql';
export { MAIL_MIGRATIONS } from './adapters/postgres/migrations';
export { Mailbox, type StoredMail } from './adapters/mailbox/mailbox';
export { mailableAddress } from './application/addresses';
export { DeliverMail } from './application/deliver-mail';
export { DocumentReminders, type RemindersOfDocument } from './application/document-reminders';
export { MAIL_EVENTS } from './application/events';
export { MAIL_JOBS } from './application/jobs';
export { MAIL_FILTERS, MailReader, type MailRecord } from './application/ports/mail.reader';
export type { ReminderRow } from './application/ports/reminders';
export { QueueReminders } from './application/queue-reminders';
export { RecoverMails } from './application/recover-mails';
export { type SentDocument } from './application/queue-mails';
export { SendDocument, type SendDocumentInput } from './application/send-document';
export { ReminderJobs } from './application/reminder-jobs';
export {
  ADDRESS_MAX,
  MAIL_FAILURES,
  MAIL_PURPOSES,
  MAIL_STATUSES,
  MESSAGE_MAX,
  RECIPIENT_KINDS,
  RECIPIENTS_MAX,
  SUBJECT_MAX,
} from './domain/mail';
export { REMINDER_SKIPS } from './domain/reminder';
export { MailModule } from './mail.module';
export { MailQueueModule } from './mail-queue.module';
export { MailDeliveryModule } from './mail-delivery.module';
