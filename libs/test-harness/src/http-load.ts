import { SideProcess } from './side-process';

export interface LoadAsked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** With their queries, read in turn. */
  readonly paths?: readonly string[];
  /** In place of the paths: bodies as JSON, posted in turn. */
  readonly posts?: readonly { readonly path: string; readonly body: string }[];
  /** How many calls are under way at a time, each on a connection of its own that is kept. */
  readonly clients: number;
  readonly durationMs: number;
}

export interface LoadAnswered {
  /** Of each call, from its first byte to the last of its answer. */
  readonly tookMs: readonly number[];
  readonly perSecond: number;
}

/** Clients on this machine, in a process of their own. */
export interface HttpLoad {
  /** Throws unless every call is answered: 200, or 201 where something was posted. */
  run(asked: LoadAsked): Promise<LoadAnswered>;
  close(): Promise<void>;
}

export function startHttpLoad(): HttpLoad {
  const process = SideProcess.start('load-process.mjs');
  return {
    run: (asked) => process.call<LoadAnswered>('run', asked),
    close: () => process.close(),
  };
}
