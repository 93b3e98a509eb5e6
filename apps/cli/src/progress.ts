import type { TextStream } from './text-stream';

const BAR_WIDTH = 24;
/** A terminal is not redrawn more often, because that would take longer than the work. */
const INTERVAL_MS = 80;

export interface Progress {
  /** Adds finished steps. */
  advance(steps?: number): void;
  /** Removes the bar. Call it before anything else is printed, and in any case in the end. */
  stop(): void;
}

interface Work {
  readonly label: string;
  readonly total: number;
  readonly hidden: boolean;
}

/** Draws a bar on the last line of a terminal. Elsewhere it draws nothing. */
export function startProgress(stream: TextStream, { label, total, hidden }: Work): Progress {
  if (hidden || stream.isTTY !== true) return { advance: () => {}, stop: () => {} };
  let [done, drawnAt, drawn] = [0, 0, false];
  const draw = () => {
    drawnAt = performance.now();
    drawn = true;
    // A terminal that does not know its width has 0 columns.
    const line = `${label} ${barOf(done, total)} ${done}/${total}`;
    stream.write(`\r\u001b[K${line.slice(0, (stream.columns || line.length + 1) - 1)}`);
  };
  draw();
  return {
    advance: (steps = 1) => {
      done += steps;
      if (done >= total || performance.now() - drawnAt >= INTERVAL_MS) draw();
    },
    stop: () => {
      if (drawn) stream.write('\r\u001b[K');
      drawn = false;
    },
  };
}

export function barOf(done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.floor(share * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${Math.floor(share * 100)} %`;
}
