import type { EndpointRef } from '../../domain/endpoint';

/** The outcome of attempts to an endpoint. */
export interface EndpointOutcome {
  readonly endpointId: string;
  /** When the first of them began. */
  readonly at: Date;
  /** Whether any was acknowledged. */
  readonly acknowledged: boolean;
}

/** Keeps since when all attempts to an endpoint have failed. */
export abstract class FailureRepository {
  /** @returns endpoints of which an attempt failed now, and every one since a time before `before`, unless paused */
  abstract note(outcomes: readonly EndpointOutcome[], before: Date): Promise<EndpointRef[]>;
}
