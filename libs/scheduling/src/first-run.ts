import { occurrence, type PlainDate, validationFailed } from '@counterfoil/kernel';

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
