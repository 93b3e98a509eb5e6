/** An error that the user can correct. Its message is printed without a stack, one line for each fault. */
export class Fault extends Error {
  /** @param {string[]} lines */
  constructor(...lines) {
    super(lines.join('\n'));
    this.name = 'Fault';
  }
}

/** A fault that passes when there is space on the disk. */
export class SpaceFault extends Fault {}

/** The text of ENOSPC in what PostgreSQL, Node and npm print. For shared memory, it does not mean the disk. */
const NO_SPACE = /^(?!.*(?:shared memory|semaphore)).*no space left on device/im;
/** Codes of Node and of PostgreSQL. */
const NO_SPACE_CODES = ['ENOSPC', '53100'];

export const lacksSpace = (error) => error instanceof SpaceFault || NO_SPACE_CODES.includes(error?.code);
export const saysNoSpace = (text) => NO_SPACE.test(text);

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

/** Errors that the environment causes, not a bug, so that the user can correct them wherever they occur. */
const EXTERNAL_FAULTS = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC'];

/** Describes an error for the user: the text of a known fault, or the stack of an unexpected error. */
export function describe(error) {
  if (error instanceof Fault) return error.message;
  if (error?.path && EXTERNAL_FAULTS.includes(error.code)) return `${error.path}: ${FILE_FAULTS[error.code]}`;
  // An error of a write to an open file does not name the file.
  if (error?.code === 'ENOSPC') return FILE_FAULTS.ENOSPC;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
