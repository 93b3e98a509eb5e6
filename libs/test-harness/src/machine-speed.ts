/** The quickest of several rounds counts, because other load, and compiling at first, only make rounds longer. */
const ROUNDS = 6;

const TEXT = JSON.stringify(
  Array.from({ length: 12_000 }, (_, id) => ({
    id,
    name: `Product ${id}`,
    prices: [id + 0.25, 12.3456],
    isActive: true,
    note: null,
  })),
);

/**
 * Time during which this process was busy: the shorter one of the time by the wall clock, which includes waiting, and
 * of processor time, which includes other threads of the process. Other processes hardly affect it.
 */
export class BusyTime {
  private readonly cpuMs = cpuTimeMs();
  private readonly startedAt = performance.now();

  elapsedMs(): number {
    return Math.min(cpuTimeMs() - this.cpuMs, performance.now() - this.startedAt);
  }
}

function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function busyMs(work: () => unknown): Promise<number> {
  const busy = new BusyTime();
  await work();
  return busy.elapsedMs();
}

/**
 * Relates the duration of work to the speed of the machine. Tests compare this cost with a bound, because milliseconds
 * differ between machines.
 *
 * @param measure does the work once and returns the milliseconds that count
 * @returns how many times longer the work takes than {@link workOneUnit}, which is measured in turn with it
 */
export async function relativeCost<Work extends () => unknown>(
  work: Work,
  measure: (work: Work) => Promise<number> = busyMs,
): Promise<number> {
  let [unitMs, workMs] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    unitMs = Math.min(unitMs, await busyMs(workOneUnit));
    workMs = Math.min(workMs, await measure(work));
  }
  return workMs / unitMs;
}

/** Parses and serialises a mebibyte of JSON. */
export function workOneUnit(): void {
  JSON.stringify(JSON.parse(TEXT));
}
