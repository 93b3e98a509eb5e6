import { SideProcess } from './side-process';

export interface LoadInput {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** With their queries, requested in turn. */
  readonly paths?: readonly string[];
  /** Bodies to post in turn, instead of `paths`. JSON by default. */
  readonly posts?: readonly Post[];
  /** The accepted statuses. Default: 200, or 201 for posts. */
  readonly statuses?: readonly number[];
  /** The number of concurrent calls, each on a kept-alive connection of its own. */
  readonly clients: number;
  readonly durationMs: number;
}

export interface Post {
  readonly path: string;
  readonly body: string;
  readonly contentType?: string;
  /** An API key, if it is not in the headers. */
  readonly key?: string;
}

export interface LoadResult {
  /** For each call, the time from its first byte to the last byte of the answer. */
  readonly tookMs: readonly number[];
  readonly perSecond: number;
  /** The number of calls by status. */
  readonly answered: Readonly<Record<number, number>>;
}

/** HTTP clients on this machine, in a separate process. */
export interface HttpLoad {
  /** @throws Error if a call is answered with a status that is not accepted */
  run(input: LoadInput): Promise<LoadResult>;
  close(): Promise<void>;
}

export function startHttpLoad(): HttpLoad {
  const process = SideProcess.start('load-process.mjs');
  return {
    run: (input) => process.call<LoadResult>('run', input),
    close: () => process.close(),
  };
}
