export interface DocumentExecutionStatusDetails {
  readonly name: string;
  /** `#RRGGBB`, in the letters that were sent. */
  readonly color: string | null;
}

/** How far the work behind a document has come, in a company's own words. */
export interface DocumentExecutionStatus extends DocumentExecutionStatusDetails {
  readonly id: number;
  readonly createdAt: Date;
}
