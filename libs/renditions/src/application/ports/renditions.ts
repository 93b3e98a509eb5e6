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

/** Stores the files made of issued documents. */
export abstract class Renditions {
  abstract find(key: RenditionKey): Promise<Rendition | null>;

  abstract has(key: RenditionKey): Promise<boolean>;

  /** Keeps the rendition that is already stored under the key. */
  abstract save(key: RenditionKey, rendition: Rendition): Promise<void>;
}
