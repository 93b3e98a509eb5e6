import { SideProcess } from './side-process';

export interface LoadAsked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** With their queries, read in turn. */
  readonly paths?: readonly string[];
  /** In place of the paths: bodies, posted in turn. They are JSON unless another content type is given. */
  readonly posts?: readonly { readonly path: string; readonly body: string; readonly contentType?: string }[];
  /** The statuses that calls may be answered with: 200, or 201 where something was posted, when left out. */
  readonly statuses?: readonly number[];
  /** How many calls are under way at a time, each on a connection of its own that is kept. */
  readonly clients: number;
  readonly durationMs: number;
}

export interface LoadAnswered {
  /** Of each call, from its first byte to the last of its answer. */
  readonly tookMs: readonly number[];
  readonly perSecond: number;
  /** How many calls were answered with each status. */
  readonly answered: Readonly<Record<number, number>>;
}

/** Clients on this machine, in a process of their own. */
export interface HttpLoad {
  /** Throws unless every call is answered with one of the statuses asked for. */
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
