/** What a figure is held to. */
export type Bound = { readonly below: number } | { readonly atMost: number } | { readonly atLeast: number };

const NAME_WIDTH = 52;
const VALUE_WIDTH = 12;

/** The figures of a trial or a bench: each is printed on a line of its own, with what it is held to beside it. */
export class Figures {
  private readonly outside: string[] = [];

  /** The lines of the figures that are not within their bounds. Empty in the end, or the run has failed. */
  get broken(): readonly string[] {
    return this.outside;
  }

  heading(text: string): void {
    print(`\n${text}`);
  }

  /** @param unit is written behind the value, with its space if it wants one: ` ms`, `x`, ` %` */
  add(name: string, value: number, unit = '', bound?: Bound): void {
    const shown = `${rounded(value)}${unit}`;
    const line = `  ${name.padEnd(NAME_WIDTH)} ${shown.padStart(VALUE_WIDTH)}${bound ? `   ${described(bound)}` : ''}`;
    const within = bound === undefined || holds(value, bound);
    print(within ? line : `${line}   BROKEN`);
    if (!within) this.outside.push(line.trim());
  }

  note(text: string): void {
    print(`  ${text}`);
  }
}

/** The middle of some figures, which one that a passing disturbance has spoilt does not move. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  if (low === undefined || high === undefined) throw new Error('no figures, no median');
  return (low + high) / 2;
}

/**
 * The smallest of some figures that so great a share of them does not exceed: 0.99 for p99.
 *
 * @returns Infinity where there are no figures: what never came, came infinitely late
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Infinity;
}

/** A figure that is no number is within no bound. */
function holds(value: number, bound: Bound): boolean {
  if ('below' in bound) return value < bound.below;
  if ('atMost' in bound) return value <= bound.atMost;
  return value >= bound.atLeast;
}

function described(bound: Bound): string {
  if ('below' in bound) return `(< ${bound.below})`;
  if ('atMost' in bound) return `(<= ${bound.atMost})`;
  return `(>= ${bound.atLeast})`;
}

/** Three digits that count, and no more than the figure has. */
function rounded(value: number): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Straight to the output: Jest would put a stack trace under each line. */
function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
