/** A server that takes mails by SMTP. */
export interface SmtpConfig {
  readonly host: string;
  readonly port: number;
  /** `implicit`: from the first byte. `required`: by STARTTLS. `none`: the connection is not encrypted. */
  readonly tls: 'implicit' | 'required' | 'none';
  readonly credentials: { readonly user: string; readonly pass: string } | null;
  /** The address of the sender of all mails. */
  readonly from: string;
}

/** How mails with documents are sent (contract §8.18). */
export interface MailConfig {
  /** `mailbox`: they are stored in `DATA_DIR/mailbox`. */
  readonly server: SmtpConfig | 'mailbox' | 'off';
  /** The delay before each retry. The length of the array is the number of retries. */
  readonly retryDelaysMs: readonly number[];
  /** Mails of one company in 24 hours. Null: any number. */
  readonly dailyQuota: number | null;
  readonly reminderHours: HoursOfDay;
}

/** Whole hours in Israel, from 0 to 24; `until` is not in the period. */
export interface HoursOfDay {
  readonly from: number;
  readonly until: number;
}
