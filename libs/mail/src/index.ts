export { MAIL_COMPANY_DATA } from './adapters/postgres/company-data.sql';
export { MAIL_MIGRATIONS } from './adapters/postgres/migrations';
export { Mailbox, type StoredMail } from './adapters/mailbox/mailbox';
export { DeliverMail } from './application/deliver-mail';
export { MAIL_EVENTS } from './application/events';
export { MAIL_JOBS } from './application/jobs';
export { MAIL_FILTERS, MailReader, type MailRecord } from './application/ports/mail.reader';
export { RecoverMails } from './application/recover-mails';
export { SendDocument, type SendDocumentInput, type SentDocument } from './application/send-document';
export {
  ADDRESS_MAX,
  MAIL_FAILURES,
  MAIL_STATUSES,
  MESSAGE_MAX,
  RECIPIENT_KINDS,
  RECIPIENTS_MAX,
  SUBJECT_MAX,
} from './domain/mail';
export { MailModule } from './mail.module';
export { MailDeliveryModule } from './mail-delivery.module';
