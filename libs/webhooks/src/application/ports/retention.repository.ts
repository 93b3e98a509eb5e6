/** Forgets what nobody will ask for again. */
export abstract class RetentionRepository {
  /**
   * Deletes deliveries that ended before a time, in batches, until the signal aborts: delivered ones, and all of
   * removed endpoints. Dropped ones are kept for redeliveries.
   */
  abstract purgeDeliveries(before: Date, signal: AbortSignal): Promise<number>;
  /**
   * Deletes removed endpoints without deliveries, and redeliveries that ended before a time, in batches, until the signal
   * aborts.
   */
  abstract purgeEndpoints(before: Date, signal: AbortSignal): Promise<void>;
  /** Which of some events a delivery still refers to. */
  abstract referredTo(eventIds: readonly string[]): Promise<ReadonlySet<string>>;
}
