import type { RefusedRun } from '@counterfoil/scheduling';
import { DateProperty, IntegerProperty, TextProperty, TimeProperty } from '../http/answers';

/** Why the due run of a retainer or a recurring payment was refused. */
export class RefusedRunBody {
  @DateProperty({ description: 'The day on which it was due.' }) readonly runDate!: string;
  @TextProperty({
    description: 'The error code that a call would get. INTERNAL: an internal error.',
    example: 'VALIDATION_FAILED',
  })
  readonly code!: string;
  @TextProperty({ description: 'The message of the error.' }) readonly error!: string;
  @IntegerProperty({ description: 'How often it was tried.' }) readonly attempts!: number;
  @TimeProperty() readonly nextAttemptAt!: string;
}

export function presentRefusedRun(refusal: RefusedRun | null): RefusedRunBody | null {
  if (!refusal) return null;
  const { runDate, code, message, attempts, nextAttemptAt } = refusal;
  return { runDate, code, error: message, attempts, nextAttemptAt: nextAttemptAt.toISOString() };
}
