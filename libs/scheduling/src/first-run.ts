import { type Interval, occurrence, type PlainDate, validationFailed } from '@counterfoil/kernel';

/**
 * All missed runs are executed at once, so this limits how far back the first one may lie: an older date is
 * probably a typing error.
 *
 * @throws AppError `VALIDATION_FAILED` if the first run is more than `yearsMax` years ago
 */
export function assertFirstRun(nextRunDate: PlainDate, today: PlainDate, yearsMax: number): void {
  const oldest = occurrence(today, 'YEARLY', -yearsMax);
  if (nextRunDate >= oldest) return;
  throw validationFailed([{ field: 'nextRunDate', problem: `must not be before ${oldest}` }]);
}

/**
 * All missed runs are executed at once, and each creates a document and sends its events, so this limits
 * their number.
 *
 * @throws AppError `VALIDATION_FAILED` if more than `runsMax` runs would be missed
 */
export function assertRunsMissed(
  first: { readonly nextRunDate: PlainDate; readonly interval: Interval },
  today: PlainDate,
  runsMax: number,
): void {
  // Check future dates first: occurrences after them could lie beyond the year 9999.
  if (first.nextRunDate > today || occurrence(first.nextRunDate, first.interval, runsMax) > today) return;
  const oldest = occurrence(today, first.interval, 1 - runsMax);
  const problem = `would be more than ${runsMax} missed runs: give one from ${oldest} on, or a longer interval`;
  throw validationFailed([{ field: 'nextRunDate', problem }]);
}

/** Counts the runs that are due on a day, of a first run with a limited number of missed ones. */
export function countDueRuns(
  first: { readonly nextRunDate: PlainDate; readonly interval: Interval },
  today: PlainDate,
): number {
  let count = 0;
  while (occurrence(first.nextRunDate, first.interval, count) <= today) count++;
  return count;
}
