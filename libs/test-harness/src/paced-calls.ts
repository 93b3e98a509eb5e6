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
  /** Between the beginnings of two calls. */
  readonly everyMs: number;
  readonly durationMs: number;
  /** The time recorded for a call that got no answer, or another status than 200 and 201. */
  readonly timeoutMs: number;
}

export interface PacedAnswers {
  /** Of each call, in the order in which they were sent: to the last byte of its answer. */
  readonly tookMs: readonly number[];
  /** Of each call, to the head of its answer. */
  readonly firstByteMs: readonly number[];
  /** How many calls failed with each status or error. */
  readonly failed: Readonly<Record<string, number>>;
}

/** Callers on this machine, in a process of their own, who ask at a fixed pace. Several runs may go on at a time. */
export interface PacedCallers {
  run(asked: Paced): Promise<PacedAnswers>;
  close(): Promise<void>;
}

export function startPacedCallers(): PacedCallers {
  const process = SideProcess.start('paced-process.mjs');
  return { run: (asked) => process.call('run', asked), close: () => process.close() };
}
