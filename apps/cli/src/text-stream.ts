/** The part of a terminal, a pipe or a file that the output needs. `process.stdout` is one. */
export interface TextStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  /** Of a terminal: false with `NO_COLOR` and on one without colours. */
  hasColors?(): boolean;
}
