/** The permanent reason for which a document cannot be read. */
export type Unreadable = 'unsupported' | 'damaged' | 'encrypted' | 'too-large';

/** Thrown for a document that cannot be read: the document is at fault, not the reader. */
export class UnreadableDocument extends Error {
  constructor(
    readonly reason: Unreadable,
    message: string,
  ) {
    super(message);
  }
}
