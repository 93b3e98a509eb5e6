/** One file made of an issued document. It never changes. */
export interface Rendition {
  readonly content: Buffer;
  /** Of the content, in hexadecimal digits. */
  readonly sha256: string;
}

export interface RenditionKey {
  readonly companyId: number;
  readonly documentId: number;
  /** See `variantOf`. */
  readonly variant: string;
}

/** A stored file without its bytes. */
export interface StoredRendition {
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/** Stores the files made of issued documents. */
export abstract class Renditions {
  /** Null if the file does not exist. */
  abstract find(key: RenditionKey): Promise<StoredRendition | null>;

  /** Returns the bytes of a file that exists. */
  abstract content(key: RenditionKey): Promise<Buffer>;

  /** Keeps the file that is already stored under the key. */
  abstract save(key: RenditionKey, rendition: Rendition): Promise<void>;
}
