import type { Transaction } from '@counterfoil/kernel';
import type { FileEntry } from '../../domain/file';

/** Where other contexts ask for a file. A file neither changes nor goes, so every answer stays true. */
export abstract class FileDirectory {
  /** Null when this company has no such file. */
  abstract find(companyId: number, id: number): Promise<FileEntry | null>;

  /** The same question inside a transaction. */
  abstract has(tx: Transaction, companyId: number, id: number): Promise<boolean>;
}
