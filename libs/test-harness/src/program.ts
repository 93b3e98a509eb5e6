/** The API or the worker. */
export type App = 'api' | 'worker';

/** A running API or worker. */
export interface Program {
  /** Its output so far. */
  readonly log: string;
  /** Resolves when its work has ended. */
  stop(): Promise<unknown>;
}

export type Environment = Readonly<Record<string, string>>;
