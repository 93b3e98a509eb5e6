/** Forgets what nobody will ask for again. */
export abstract class RetentionRepository {
  /**
   * Deletes, batch by batch until it is told to stop, deliveries that ended before a time: those that were delivered,
   * and all of endpoints that were removed. What was dropped is kept, to be replayed.
   */
  abstract purgeDeliveries(before: Date, signal: AbortSignal): Promise<number>;
  /**
   * Deletes, batch by batch until it is told to stop, removed endpoints that have no delivery left, and replays that
   * ended before a time.
   */
  abstract purgeEndpoints(before: Date, signal: AbortSignal): Promise<void>;
  /** Which of some events a delivery still refers to. */
  abstract referredTo(eventIds: readonly string[]): Promise<ReadonlySet<string>>;
}
