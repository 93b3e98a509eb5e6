/** Rows with sealed secrets, in the order of their keys, for re-encryption after a rotation of `SECRETS_KEY`. */
export abstract class SealedRows<Row = unknown> {
  /** The name of the rows in the report of a rotation. */
  abstract readonly name: string;

  /** Returns the next rows that contain a sealed secret; the first ones if `last` is null. */
  abstract after(last: Row | null, limit: number): Promise<readonly Row[]>;

  /**
   * Seals the secrets of a row with the first key.
   *
   * @returns null if the first key has sealed all of them already
   * @throws Error if no key opens a secret
   */
  abstract reseal(row: Row): Row | null;

  /**
   * Replaces the secrets of rows that have not changed since they were read.
   *
   * @returns the number of rows replaced
   */
  abstract replace(changes: readonly ResealedRow<Row>[]): Promise<number>;

  /** Names the row for the operator, without its secrets. */
  abstract describe(row: Row): string;
}

export interface ResealedRow<Row> {
  readonly before: Row;
  readonly after: Row;
}
