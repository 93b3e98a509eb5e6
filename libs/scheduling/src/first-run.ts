import { type Interval, occurrence, type PlainDate, validationFailed } from '@counterfoil/kernel';

/**
 * Each missed run is caught up: a date that is older is a slip of the pen, and would do the same a hundred times.
 *
 * @throws AppError `VALIDATION_FAILED` for a first run that would have been more than so many years ago
 */
export function assertFirstRun(nextRunDate: PlainDate, today: PlainDate, yearsMax: number): void {
  const oldest = occurrence(today, 'YEARLY', -yearsMax);
  if (nextRunDate >= oldest) return;
  throw validationFailed([{ field: 'nextRunDate', problem: `must not be before ${oldest}` }]);
}

/**
 * Each missed run is a document and its events, sent to every endpoint, all at once.
 *
 * @throws AppError `VALIDATION_FAILED` for a first run since which more than so many would have been missed
 */
export function assertRunsMissed(
  first: { readonly nextRunDate: PlainDate; readonly interval: Interval },
  today: PlainDate,
  runsMax: number,
): void {
  // A date far ahead is looked at by itself: runs after it could fall behind the year 9999.
  if (first.nextRunDate > today || occurrence(first.nextRunDate, first.interval, runsMax) > today) return;
  const oldest = occurrence(today, first.interval, 1 - runsMax);
  const problem = `would be more than ${runsMax} missed runs: give one from ${oldest} on, or a longer interval`;
  throw validationFailed([{ field: 'nextRunDate', problem }]);
}
