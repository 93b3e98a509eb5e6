import { AppError } from '@counterfoil/kernel';

/** How much a company stores. */
export interface StorageUsage {
  readonly bytes: number;
  readonly files: number;
}

/** How much a company may store. Null: any amount. */
export interface StorageLimits {
  readonly bytes: number | null;
  readonly files: number | null;
}

export const isLimited = ({ bytes, files }: StorageLimits): boolean => bytes !== null || files !== null;

/**
 * @param size the size of one more file, in bytes
 * @throws AppError `LIMIT_REACHED` if that file would exceed a limit
 */
export function assertRoomFor(size: number, usage: StorageUsage, limits: StorageLimits): void {
  if (limits.files !== null && usage.files + 1 > limits.files) {
    throw limitReached(`the company may store ${limits.files} files, and has ${usage.files}`);
  }
  if (limits.bytes !== null && usage.bytes + size > limits.bytes) {
    throw limitReached(`the company may store ${limits.bytes} bytes, and has used ${usage.bytes}`);
  }
}

function limitReached(message: string): AppError {
  const wayOut = 'delete files that are no longer needed, or ask the operator for a higher limit';
  return new AppError('LIMIT_REACHED', `${message}: ${wayOut}`);
}
