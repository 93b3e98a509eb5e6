/** A mail is queued until the server has accepted it, or it has failed for good. */
export const MAIL_STATUSES = ['queued', 'accepted', 'failed'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/**
 * Why a mail failed. `refused`: the server refused it for good. `expired`: every attempt failed. `uncertain`: the
 * connection was lost after the last byte, so the server may have it; it is not sent again. `withdrawn`: a reminder that
 * was not due any more when it was about to be sent, or a mail of a retainer that waited too long for the limit of 24
 * hours.
 */
export const MAIL_FAILURES = ['refused', 'expired', 'uncertain', 'withdrawn'] as const;
export type MailFailure = (typeof MAIL_FAILURES)[number];

/** `document`: a call sent it. `reminder`: the worker did, because the document is to be paid. */
export const MAIL_PURPOSES = ['document', 'reminder'] as const;
export type MailPurpose = (typeof MAIL_PURPOSES)[number];

export const RECIPIENT_KINDS = ['to', 'cc'] as const;
export type RecipientKind = (typeof RECIPIENT_KINDS)[number];

/** Of one call, `to` and `cc` together. */
export const RECIPIENTS_MAX = 20;
/** In characters, of an address. */
export const ADDRESS_MAX = 254;
/** In characters. */
export const SUBJECT_MAX = 200;
/** In characters. */
export const MESSAGE_MAX = 5_000;
/**
 * How long a worker may take to record the answer to a message that it has handed over. It may have lost its database
 * meanwhile.
 */
export const RECORDING_MAX_MS = 120_000;
/** Between two checks whether the limit of 24 hours leaves room for mails of retainers. */
const QUOTA_CHECK_MS = 3_600_000;
/** How long a mail of a retainer waits for that. */
const QUOTA_WAIT_MAX_MS = 7 * 86_400_000;
/** Of a company. */
export const QUEUED_MAX = 1_000;
/** In characters, of the words of a server. */
export const RESPONSE_MAX = 500;

export interface Recipient {
  readonly address: string;
  readonly kind: RecipientKind;
}

/**
 * Returns each address once, also if it is written in another case: `to` comes before `cc`. Domains ignore case, and so
 * does every mailbox in practice.
 */
export function recipientsOf(to: readonly string[], cc: readonly string[]): Recipient[] {
  const found = new Map<string, Recipient>();
  const add = (address: string, kind: RecipientKind) => {
    const key = address.toLowerCase();
    if (!found.has(key)) found.set(key, { address, kind });
  };
  for (const address of to) add(address, 'to');
  for (const address of cc) add(address, 'cc');
  return [...found.values()];
}

/** The outcome of one attempt, with the words of the server or of our own about the connection. */
export interface MailOutcome {
  /** `later`: it was not accepted, and may be sent again. */
  readonly kind: 'accepted' | 'later' | Exclude<MailFailure, 'expired'>;
  readonly response: string;
}

/**
 * Returns when a mail for which the limit of 24 hours leaves no room is tried again. Null: it has waited too long.
 *
 * @param since since when it has waited
 */
export function nextQuotaCheck(since: Date, now: Date): Date | null {
  const next = new Date(now.getTime() + QUOTA_CHECK_MS);
  return next.getTime() - since.getTime() > QUOTA_WAIT_MAX_MS ? null : next;
}

/** The state of a mail after an attempt. */
export type AfterAttempt =
  | { readonly status: 'accepted' }
  | { readonly status: 'failed'; readonly failure: MailFailure }
  | { readonly status: 'queued'; readonly nextAttemptAt: Date };

/** @param failedBefore the number of failed attempts before this one */
export function afterAttempt(
  { kind }: MailOutcome,
  failedBefore: number,
  endedAt: Date,
  retryDelaysMs: readonly number[],
): AfterAttempt {
  if (kind === 'accepted') return { status: 'accepted' };
  if (kind !== 'later') return { status: 'failed', failure: kind };
  const delayMs = retryDelaysMs[failedBefore];
  if (delayMs === undefined) return { status: 'failed', failure: 'expired' };
  return { status: 'queued', nextAttemptAt: new Date(endedAt.getTime() + delayMs) };
}
