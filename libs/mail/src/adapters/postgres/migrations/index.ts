import { DocumentMails1795790600000 } from './1795790600000-document-mails';
import { Reminders1795790832000 } from './1795790832000-reminders';
import { ReminderBatches1795790852000 } from './1795790852000-reminder-batches';
import { ReminderCompletions1795790854000 } from './1795790854000-reminder-completions';
import { TurnsOfMails1795790855000 } from './1795790855000-turns-of-mails';
import { WaitingMails1795790857500 } from './1795790857500-waiting-mails';
import { SentRetainerMails1795790858000 } from './1795790858000-sent-retainer-mails';
import { GrantedMails1795790891000 } from './1795790891000-granted-mails';
import { PurposesOfMails1795790832500 } from './1795790832500-purposes-of-mails';

export const MAIL_MIGRATIONS = [
  DocumentMails1795790600000,
  Reminders1795790832000,
  PurposesOfMails1795790832500,
  ReminderBatches1795790852000,
  ReminderCompletions1795790854000,
  TurnsOfMails1795790855000,
  WaitingMails1795790857500,
  SentRetainerMails1795790858000,
  GrantedMails1795790891000,
];
