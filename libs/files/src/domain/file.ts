/** The maximum size of a file (contract §13.1). */
export const FILE_BYTES_MAX = 25 * 1024 * 1024;

/** The public data of an uploaded file. It never changes. */
export interface FileEntry {
  readonly id: number;
  readonly fileName: string;
  /** Detected from the bytes, not from the name (contract §13.2). */
  readonly mimeType: string;
  /** In bytes. */
  readonly size: number;
  /** Hexadecimal, in lower case. */
  readonly sha256: string;
}

/** A file as lists show it. */
export interface StoredFile extends FileEntry {
  readonly createdAt: Date;
}
