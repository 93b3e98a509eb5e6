import type { Transaction } from '@counterfoil/kernel';
import type { FileEntry } from '../../domain/file';

/** Where other contexts ask for a file. A file never changes, but it may be deleted while nothing refers to it. */
export abstract class FileDirectory {
  /** Null when this company has no such file. It may be gone by the time that a reference to it is written. */
  abstract find(companyId: number, id: number): Promise<FileEntry | null>;
  /** Whether the company has this file, which then cannot be deleted before the transaction ends. */
  abstract hold(tx: Transaction, companyId: number, id: number): Promise<boolean>;
}
