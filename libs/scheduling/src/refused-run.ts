import type { ErrorCode, PlainDate } from '@counterfoil/kernel';

/** The refusal of the next run, and the time of the next attempt. */
export interface RefusedRun {
  readonly runDate: PlainDate;
  readonly code: ErrorCode;
  readonly message: string;
  readonly attempts: number;
  readonly nextAttemptAt: Date;
}

/** Columns of `schedules s` that `withRefusal` reads. */
export const REFUSED_RUN_COLUMNS = `
  s.next_run_date as "runDate", s.refusal_code as code, s.refusal_message as message, s.attempts,
  s.next_attempt_at as "nextAttemptAt"`;

type Columns = { readonly [Field in keyof RefusedRun]: RefusedRun[Field] | null };

/** A row with the columns of `REFUSED_RUN_COLUMNS`. */
export type WithRefusedRunColumns<Row extends { readonly refusal: RefusedRun | null }> = Omit<
  Row,
  'refusal'
> &
  Columns;

/** Replaces the columns of the refusal with the field `refusal`, which is null if there was none. */
export function withRefusal<Row extends Columns>({
  runDate,
  code,
  message,
  attempts,
  nextAttemptAt,
  ...row
}: Row): Omit<Row, keyof Columns> & { readonly refusal: RefusedRun | null } {
  const refusal = code === null ? null : ({ runDate, code, message, attempts, nextAttemptAt } as RefusedRun);
  return { ...row, refusal };
}
