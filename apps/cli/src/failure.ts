import { type CounterfoilError, isCounterfoilError } from '@counterfoil/sdk';

/** The exit codes that docs/cli.md promises to scripts. */
export const EXIT = {
  ok: 0,
  /** The service refused the request, or the command failed. */
  refused: 1,
  /** The arguments or the given files cannot be used. Nothing was sent. */
  usage: 2,
  /** No usable answer of the service. Trying again later can help. */
  unreachable: 3,
  /** No key is known, or the service does not accept it. */
  notLoggedIn: 4,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with a message for the person and an exit code for scripts. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    readonly exitCode: ExitCode,
    message: string,
  ) {
    super(message);
  }
}

/** How a command ended that did not succeed. */
export interface Failure {
  readonly exitCode: ExitCode;
  readonly message: string;
  /** The fields that the service objects to. */
  readonly fields: readonly { readonly field: string; readonly problem: string }[];
  /** The code of the service or of the SDK. */
  readonly code?: string | undefined;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
}

const UNREACHABLE: ReadonlySet<string> = new Set([
  'CONNECTION_FAILED',
  'TIMED_OUT',
  'UNEXPECTED_ANSWER',
  'RATE_LIMITED',
  'UNAVAILABLE',
]);

/** @param signal that of the command, whose abortion makes every other error a consequence */
export function failureOf(error: unknown, signal: AbortSignal): Failure {
  if (signal.aborted) return { exitCode: EXIT.interrupted, message: 'interrupted', fields: [] };
  if (error instanceof CommandError) return { exitCode: error.exitCode, message: error.message, fields: [] };
  if (isCounterfoilError(error)) return failureOfCall(error);
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { exitCode: EXIT.refused, message: `an unexpected error: ${text}`, fields: [] };
}

function failureOfCall({ code, message, status, requestId, fields }: CounterfoilError): Failure {
  const about = { code, status, requestId, fields };
  if (code === 'UNAUTHENTICATED')
    return {
      ...about,
      exitCode: EXIT.notLoggedIn,
      message: 'the service does not accept this key; counterfoil login stores another one',
    };
  return { ...about, message, exitCode: UNREACHABLE.has(code) ? EXIT.unreachable : EXIT.refused };
}
