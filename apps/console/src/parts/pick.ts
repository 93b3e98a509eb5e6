/** An entry of a picker. */
export interface Pick {
  readonly id: number;
  readonly name: string;
  /** A second line: a tax id, a SKU. */
  readonly detail?: string;
}
