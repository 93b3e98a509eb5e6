/** Calls for a while, `callers` at a time, and answers how many calls were answered in a second. */
export async function callsPerSecond(
  durationMs: number,
  callers: number,
  call: () => Promise<unknown>,
): Promise<number> {
  let answered = 0;
  const started = performance.now();
  const caller = async () => {
    while (performance.now() - started < durationMs) {
      await call();
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return answered / ((performance.now() - started) / 1_000);
}
