import type { StoredFile } from '../../domain/file';

/** A file with whose it is, and where its bytes are. */
export interface KeptFile extends StoredFile {
  readonly companyId: number;
  readonly storageKey: string;
}

/** Reads what is told of files. */
export abstract class FileReader {
  /** All of them, by id, in batches (spec: Pagination contract, rule 6). */
  abstract list(companyId: number): AsyncIterable<readonly StoredFile[]>;

  /** Null when this company has no such file. */
  abstract find(companyId: number, id: number): Promise<KeptFile | null>;

  /** Of whatever company, for who came by a valid link. */
  abstract findLinked(id: number): Promise<KeptFile | null>;
}
