import type { Transaction } from '@counterfoil/kernel';
import type { FileEntry } from '../../domain/file';

/** Finds files for other contexts. A file never changes, but it may be deleted while nothing refers to it. */
export abstract class FileDirectory {
  /** Null if this company has no such file. The file may be deleted before a reference to it is written: use `hold`. */
  abstract find(companyId: number, id: number): Promise<FileEntry | null>;
  /** Returns whether the company has this file, and prevents its deletion until the transaction ends. */
  abstract hold(tx: Transaction, companyId: number, id: number): Promise<boolean>;
}
