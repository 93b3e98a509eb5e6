import os from 'node:os';
import { type OperatorNote, REASON_LENGTH_MAX } from '@counterfoil/identity';
import { type Options, UsageError } from './command';

/** The user that runs the command, and the given reason. */
export function operatorNote(options: Options, usage: string): OperatorNote {
  const { reason } = options;
  return { operator: userName(), reason: typeof reason === 'string' ? checked(reason, usage) : null };
}

function checked(reason: string, usage: string): string {
  if (reason.trim() !== '' && [...reason].length <= REASON_LENGTH_MAX) return reason;
  throw new UsageError(`--reason must have 1 to ${REASON_LENGTH_MAX} characters: ${usage}`);
}

/** In a container, the user may have no name. */
function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
