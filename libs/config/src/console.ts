import type { EnvironmentReader } from './environment-reader';

/** The console at `/console`, and the sessions of browsers (contract §4.9). */
export interface ConsoleConfig {
  /** False: the API serves no console. */
  readonly isServed: boolean;
  readonly sessionLifetimeMs: number;
}

/** Reads whether the API serves the console, and how long a browser stays signed in. */
export function readConsole(read: EnvironmentReader): ConsoleConfig {
  return {
    isServed: read.oneOf('CONSOLE', ['on', 'off'] as const, 'on') === 'on',
    sessionLifetimeMs: read.duration('SESSION_LIFETIME', '12h', '30d'),
  };
}
