/** The bound of a figure. */
export type Bound = { readonly below: number } | { readonly atMost: number } | { readonly atLeast: number };

const NAME_WIDTH = 52;
const VALUE_WIDTH = 12;

/** The figures of a trial or a bench. Each is printed on a line with its bound. */
export class Figures {
  private readonly outside: string[] = [];

  /** The lines of figures outside their bounds. If there are any, the run has failed. */
  get broken(): readonly string[] {
    return this.outside;
  }

  heading(text: string): void {
    print(`\n${text}`);
  }

  /** @param unit follows the value, including any space: ` ms`, `x`, ` %` */
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

/** Returns the median, which is robust against a passing disturbance. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  if (low === undefined || high === undefined) throw new Error('cannot compute the median of no figures');
  return (low + high) / 2;
}

/**
 * Returns the smallest figure that at least this share of all figures does not exceed: 0.99 for p99.
 *
 * @returns Infinity without figures, so that missing answers break the bound
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Infinity;
}

/** NaN is within no bound. */
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

/** At most three significant digits. */
function rounded(value: number): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Writes to the output directly, because Jest would add a stack trace to each line. */
function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
