/**
 * The epochs of the database. A restore or a failover begins a new one, because the same change number may
 * then stand for another change. A statement that reads change numbers also reads the epoch.
 */
export abstract class Epochs {
  abstract current(): Promise<string>;

  /** The epoch of change numbers that were issued without one. Null when it is not known. */
  abstract unnamed(): Promise<string | null>;

  /**
   * Begins a new epoch, for a restore that the database itself does not reveal. Of concurrent calls for the
   * same epoch, one succeeds.
   *
   * @param found the epoch to end
   * @param cause logged for the operator
   * @returns whether this call began the new epoch
   */
  abstract renew(found: string, cause: string): Promise<boolean>;
}
