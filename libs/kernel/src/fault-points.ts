/**
 * Named points at which a crash test may end the process, as a power cut would. Reaching one does nothing unless it was
 * configured; in production none can be.
 */
export abstract class FaultPoints {
  abstract reach(point: string): void;
}
