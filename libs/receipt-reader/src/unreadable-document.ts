/** The permanent reason why a document cannot be read. */
export type Unreadable = 'unsupported' | 'damaged' | 'encrypted' | 'too-large';

/** Thrown if a document cannot be read because of its content, not because of a fault of the reader. */
export class UnreadableDocument extends Error {
  constructor(
    readonly reason: Unreadable,
    message: string,
  ) {
    super(message);
  }
}
