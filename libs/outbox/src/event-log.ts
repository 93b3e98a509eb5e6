import type { EventPosition, ReadExtent } from './event-position';
import type { EventType } from './event-definition';

export interface LoggedEvent {
  readonly sequence: number;
  readonly companyId: number;
  readonly id: string;
  readonly type: EventType;
  /** The exact bytes of the envelope, as text. Null if the event belongs to none of the requested companies. */
  readonly body: string | null;
}

/** The events in the gaps of a position and after it, as one read found them, and what it covered, for `closeGaps`. */
export interface EventBatch extends ReadExtent {
  /** In the order of their sequences. Those in the gaps come first. */
  readonly events: readonly LoggedEvent[];
  /** Whether there is nothing more to read now. */
  readonly isComplete: boolean;
  /** For `EventPosition.see`. */
  readonly endedBelow: number;
  readonly epoch: string;
  readonly readAt: Date;
}

/** A position as a cursor needs it. */
export interface DatedPosition {
  readonly position: EventPosition;
  readonly epoch: string;
  readonly readAt: Date;
}

/**
 * Reads the events of the outbox in the order in which they become visible, without skipping one whose
 * transaction commits late (ADR 0043).
 */
export abstract class EventLog {
  /** The position after all events that are committed now. */
  abstract latest(): Promise<DatedPosition>;

  /** Whether a position of this epoch is beyond all events, because the database was set back. */
  abstract isAhead(position: EventPosition): Promise<boolean>;

  /** @param companyIds the companies whose events are read with their bodies */
  abstract read(position: EventPosition, companyIds: readonly number[]): Promise<EventBatch>;
}
