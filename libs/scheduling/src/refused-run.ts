import type { ErrorCode, PlainDate } from '@counterfoil/kernel';

/** Why the run that is due next was refused, and when it is tried again. */
export interface RefusedRun {
  readonly runDate: PlainDate;
  readonly code: ErrorCode;
  readonly message: string;
  readonly attempts: number;
  readonly nextAttemptAt: Date;
}

/** Of `schedules s`: what `withRefusal` reads. */
export const REFUSED_RUN_COLUMNS = `
  s.next_run_date as "runDate", s.refusal_code as code, s.refusal_message as message, s.attempts,
  s.next_attempt_at as "nextAttemptAt"`;

type Columns = { readonly [Field in keyof RefusedRun]: RefusedRun[Field] | null };

/** A row as it is read with `REFUSED_RUN_COLUMNS`. */
export type WithRefusedRunColumns<Row extends { readonly refusal: RefusedRun | null }> = Omit<
  Row,
  'refusal'
> &
  Columns;

/** The row with its refusal, null where nothing was refused, in the place of the columns. */
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
