import type { Figures } from './figures';
import { SideProcess } from './side-process';

/** How late a timer of 5 ms was in a process that does nothing else. */
export interface Pauses {
  readonly p99Ms: number;
  readonly maxMs: number;
}

/**
 * Measures the pauses of the machine in a separate process. They explain a figure outside its bound, but
 * change no bound.
 */
export interface PauseMeter {
  /** Of the process that measures. */
  readonly pid: number;
  /** Opens a window. Windows may overlap. @returns closes the window and returns its pauses */
  open(): Promise<() => Promise<Pauses>>;
  close(): Promise<void>;
}

export function startPauseMeter(): PauseMeter {
  const process = SideProcess.start('pause-process.mjs');
  return {
    pid: process.pid,
    open: async () => {
      const id = await process.call<number>('open');
      return () => process.call('close', id);
    },
    close: () => process.close(),
  };
}

/** Adds the pauses of the machine to the figures that were measured during the same time. */
export function notePauses(figures: Figures, { p99Ms, maxMs }: Pauses): void {
  figures.note(
    `pauses of the machine meanwhile: p99 ${p99Ms.toFixed(1)} ms, the longest ${maxMs.toFixed(1)} ms`,
  );
}
