/**
 * The epochs of the database. A restore and a failover begin a new one: a change number of another epoch may stand for
 * another change. Each read that answers change numbers answers its epoch too, from the same statement.
 */
export abstract class Epochs {
  abstract current(): Promise<string>;

  /** The epoch of change numbers that were given out without one; null when it is not known. */
  abstract unnamed(): Promise<string | null>;

  /**
   * Begins a new epoch, for a restore that shows by nothing else. Of several who found the same, one begins it.
   *
   * @param found the epoch that is to end
   * @param cause for the operator
   * @returns whether this call has begun it
   */
  abstract renew(found: string, cause: string): Promise<boolean>;
}
