import { MAIL_FAILURES, MAIL_STATUSES, REMINDER_SKIPS, type RemindersOfDocument } from '@counterfoil/mail';
import { BooleanProperty, ChoiceProperty, DateProperty, IntegerProperty } from '../http/answers';
import { ListProperty, TextProperty, TimeProperty } from '../http/answers';
import { BooleanField } from '../http/fields';

export class EditRemindersBody {
  @BooleanField({
    presence: 'required',
    description:
      'False: the client is never reminded of this document. True: as the company and the client say.',
  })
  readonly enabled!: boolean;
}

export class ReminderBody {
  @DateProperty({ description: 'The day on which it was queued.' }) readonly date!: string;
  @IntegerProperty({ description: 'After the due date, of `reminderDays`; negative before it.' })
  readonly days!: number;
  @IntegerProperty({
    nullable: true,
    description: '`GET /mails/{id}` reads the mail. Null if there is none.',
  })
  readonly mailId!: number | null;
  @TextProperty({ nullable: true, example: 'dana@example.com' }) readonly recipient!: string | null;
  @ChoiceProperty(MAIL_STATUSES, { nullable: true, description: 'Of the mail.' })
  readonly status!: string | null;
  @ChoiceProperty(MAIL_FAILURES, { nullable: true, description: 'Of the mail.' })
  readonly failure!: string | null;
  @ChoiceProperty(REMINDER_SKIPS, {
    nullable: true,
    description:
      'Why there is no mail. `no_address`: the client had no e-mail address on that day, or one that mail servers refuse.',
  })
  readonly skipped!: string | null;
  @TimeProperty() readonly createdAt!: string;
}

export class RemindersBody {
  @BooleanProperty({ description: 'False: the client is never reminded of this document.' })
  readonly enabled!: boolean;
  @DateProperty({
    nullable: true,
    description:
      'The day of the next one, as things are. Null if none is to come, for example because the document is paid, its client has no e-mail address, or the service has no mail server.',
  })
  readonly nextDate!: string | null;
  @ListProperty(ReminderBody, { description: 'The newest first, at most 200.' })
  readonly reminders!: readonly ReminderBody[];
}

export function presentReminders({ enabled, nextDate, reminders }: RemindersOfDocument): RemindersBody {
  return {
    enabled,
    nextDate,
    reminders: reminders.map(({ createdAt, ...reminder }) => ({
      ...reminder,
      createdAt: createdAt.toISOString(),
    })),
  };
}
