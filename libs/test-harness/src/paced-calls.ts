import { SideProcess } from './side-process';

export interface PacedCall {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Paced {
  readonly url: string;
  /** Sent in turn. */
  readonly calls: readonly PacedCall[];
  /** The interval between the starts of two calls. */
  readonly everyMs: number;
  readonly durationMs: number;
  /** The duration recorded for a call without an answer, or with a status other than 200 and 201. */
  readonly timeoutMs: number;
}

export interface PacedAnswers {
  /** For each call, in the order of sending: the time to the last byte of the answer. */
  readonly tookMs: readonly number[];
  /** For each call, the time to the head of the answer. */
  readonly firstByteMs: readonly number[];
  /** The number of failed calls by status or error. */
  readonly failed: Readonly<Record<string, number>>;
}

/** Callers on this machine, in a separate process, that send at a fixed pace. Runs may overlap. */
export interface PacedCallers {
  run(input: Paced): Promise<PacedAnswers>;
  close(): Promise<void>;
}

export function startPacedCallers(): PacedCallers {
  const process = SideProcess.start('paced-process.mjs');
  return { run: (input) => process.call('run', input), close: () => process.close() };
}
