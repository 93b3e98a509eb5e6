export interface Point {
  /** `2026-11-27` */
  readonly day: string;
  readonly value: number;
}

export interface Series {
  readonly id: string;
  readonly name: string;
  /** The oldest first. */
  readonly points: readonly Point[];
}
