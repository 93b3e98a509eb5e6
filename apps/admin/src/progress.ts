const INTERVAL_MS = 1_000;

/** Prints the first line, and then at most one a second, on standard error: standard output is for the result. */
export function progress<Of>(lineOf: (state: Of) => string): (state: Of) => void {
  let printedAt = -Infinity;
  return (state) => {
    if (performance.now() - printedAt < INTERVAL_MS) return;
    printedAt = performance.now();
    process.stderr.write(`${lineOf(state)}\n`);
  };
}
