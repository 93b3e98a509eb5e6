import type { RefusedRun } from '@counterfoil/scheduling';
import type { RefusedRunBody } from './refused-run.answers';

export function refusedRun(refusal: RefusedRun | null): RefusedRunBody | null {
  if (!refusal) return null;
  const { runDate, code, message, attempts, nextAttemptAt } = refusal;
  return { runDate, code, error: message, attempts, nextAttemptAt: nextAttemptAt.toISOString() };
}
