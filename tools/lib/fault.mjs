/** Something the user can put right: its message is printed as it is, one line a fault, without a stack. */
export class Fault extends Error {
  /** @param {string[]} lines */
  constructor(...lines) {
    super(lines.join('\n'));
    this.name = 'Fault';
  }
}

const FILE_FAULTS = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** What went wrong, in the words to show: a fault's own, or the whole stack of what nobody foresaw. */
export function describe(error) {
  if (error instanceof Fault) return error.message;
  const reason = error?.path && FILE_FAULTS[error.code];
  if (reason) return `${error.path}: ${reason}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
