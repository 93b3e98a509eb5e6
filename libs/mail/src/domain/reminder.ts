import { businessHourOf, daysAfter, type PlainDate, plainDateOf } from '@counterfoil/kernel';

/** A reminder that is later than this, after an outage or a suspension, is not sent any more. */
const LATE_DAYS_MAX = 7;
const HOUR_MS = 3_600_000;
/** A change has the time at which its transaction began. Until its end, which is sooner than this, work has the earlier plan. */
export const CHANGE_GRACE_MS = 30_000;

/** Why there is no mail. `no_address`: the client has no address, or one that mail servers refuse. */
export const REMINDER_SKIPS = ['no_address'] as const;
export type ReminderSkip = (typeof REMINDER_SKIPS)[number];

/** When a company has its clients reminded, and how far that has got. */
export interface ReminderPlan {
  /** After the due date: negative before it. */
  readonly days: readonly number[];
  readonly changedAt: Date;
  /** A day long ago before the first time. */
  readonly queuedUntil: PlainDate;
  /** When the reminders of `queuedUntil` were all queued. */
  readonly completedAt: Date | null;
  /** The last document of the batches of a day that is not done, and the time of the last batch; or both are null. */
  readonly batchDocumentId: number | null;
  readonly batchAt: Date | null;
}

/** Hours in Israel, `until` excluded. Mails at night are a nuisance. */
interface ReminderHours {
  readonly from: number;
  readonly until: number;
}

/** Returns null if reminders may be sent at an instant, and otherwise when they may be sent again. */
export function nextReminderTime(now: Date, { from, until }: ReminderHours): Date | null {
  const isOpen = (at: Date) => from <= businessHourOf(at) && businessHourOf(at) < until;
  if (isOpen(now)) return null;
  // Israel is whole hours away from UTC.
  let next = new Date(Math.ceil(now.getTime() / HOUR_MS) * HOUR_MS);
  while (!isOpen(next)) next = new Date(next.getTime() + HOUR_MS);
  return next;
}

/** The first day of which a reminder may still be sent. */
export const oldestReminderDay = (today: PlainDate): PlainDate => daysAfter(today, -LATE_DAYS_MAX);

/**
 * The first day whose reminders are still to be queued: after the last one that is done, and since the plan was made. A
 * day that was done by an earlier plan is done again, because the new one may have more days.
 */
export function remindersDueSince(plan: ReminderPlan, today: PlainDate): PlainDate {
  const { changedAt, queuedUntil, completedAt } = plan;
  const isDone = completedAt === null || isOfPlan(completedAt, plan);
  const days = [
    oldestReminderDay(today),
    plainDateOf(changedAt),
    ...(isDone ? [daysAfter(queuedUntil, 1)] : []),
  ];
  return latestOf(days);
}

export const latestOf = (days: readonly PlainDate[]): PlainDate => days.reduce((a, b) => (a > b ? a : b));

/** The days whose reminders were never queued, because they are too long ago now; null if there are none. */
export function missedDays(
  { changedAt, queuedUntil, completedAt }: ReminderPlan,
  since: PlainDate,
): { readonly from: PlainDate; readonly until: PlainDate } | null {
  if (completedAt === null) return null;
  const from = latestOf([daysAfter(queuedUntil, 1), plainDateOf(changedAt)]);
  return from < since ? { from, until: daysAfter(since, -1) } : null;
}

/** The document after which the next batch begins; 0 at the beginning of a day, and after a change of the plan. */
export function batchAfter(plan: ReminderPlan, today: PlainDate): number {
  const { batchDocumentId, batchAt } = plan;
  const isOfToday = batchAt !== null && plainDateOf(batchAt) === today && isOfPlan(batchAt, plan);
  return isOfToday ? (batchDocumentId ?? 0) : 0;
}

/** False if the work that ended at an instant may have had an earlier plan. */
const isOfPlan = (at: Date, { changedAt }: ReminderPlan): boolean =>
  at.getTime() >= changedAt.getTime() + CHANGE_GRACE_MS;
