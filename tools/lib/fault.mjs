/** Something the user can put right: its message is printed as it is, one line a fault, without a stack. */
export class Fault extends Error {
  /** @param {string[]} lines */
  constructor(...lines) {
    super(lines.join('\n'));
    this.name = 'Fault';
  }
}

/** Errors of a file system, by code. */
export const FILE_FAULTS = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'not a folder',
  EEXIST: 'not a folder',
  ENOENT: 'no folder can be made there',
};

/** Those that say nothing about what the program expected, and so are the user's to put right wherever they come from. */
const EXTERNAL_FAULTS = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC'];

/** Describes an error for the user: the text of a known fault, or the whole stack of an unforeseen one. */
export function describe(error) {
  if (error instanceof Fault) return error.message;
  if (error?.path && EXTERNAL_FAULTS.includes(error.code)) return `${error.path}: ${FILE_FAULTS[error.code]}`;
  // Writing to an open file, the error does not tell which.
  if (error?.code === 'ENOSPC') return FILE_FAULTS.ENOSPC;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
