import { type Figures, notePauses, type PacedAnswers, percentile } from '@counterfoil/test-harness';
import { type Bounds, onsetP99MaxMs } from './hostile-bounds';
import type { Received } from './hostile-replays';
import type { Measured } from './hostile-site';

/** Lower values are below the scheduling granularity of two processors. */
const QUIET_FLOOR_MS = 10;

/** The columns of the rows that `addOthers` returns. */
export const COLUMNS =
  'the others: quiet p50, quiet p99, p50, p99, p99 against quiet; ready p99; longest delay of the API; ' +
  'longest pause of the machine; p99 while it begins (ms)';

/** The figures of one attack. */
export interface Under {
  /** The largest number of connections that the attackers have open at the same time. */
  readonly connections: number;
  readonly onset: Measured;
  readonly measured: Measured;
  readonly told: unknown;
  readonly memoryMib: number;
  readonly downloads?: PacedAnswers;
  readonly receipts?: PacedAnswers;
  readonly destination?: Received;
}

const failuresOf = ({ failed }: PacedAnswers): number =>
  Object.values(failed).reduce((sum, count) => sum + count, 0);

const sharesOf = ({ tookMs }: PacedAnswers): [p50: number, p99: number] => [
  percentile(tookMs, 0.5),
  percentile(tookMs, 0.99),
];

/** @returns a row of the figures under `COLUMNS` */
export function addOthers(
  figures: Figures,
  quiet: readonly Measured[],
  { connections, onset, measured, told }: Under,
  bounds: Bounds,
): string {
  // The lower of the times before and after the attack, so that work left by an attack does not raise its own
  // limit.
  const shares = quiet.map(({ others }) => sharesOf(others));
  const quietP50 = Math.min(...shares.map(([p50]) => p50));
  const quietP99 = Math.min(...shares.map(([, p99]) => p99));
  const [p50, p99] = sharesOf(measured.others);
  const ready = percentile(measured.ready.tookMs, 0.99);
  const onsetP99 = percentile(onset.others.tookMs, 0.99);
  figures.note(`the attackers' calls: ${JSON.stringify(told)}`);
  figures.note(`the others' slowest calls: ${measured.slowest.join(', ')}`);
  notePauses(figures, measured.pauses);
  figures.add('the others, quiet, p50', quietP50, ' ms');
  figures.add('the others, quiet, p99', quietP99, ' ms', { atMost: bounds.quietP99Ms });
  figures.add('the others, p50', p50, ' ms');
  figures.add('the others, p99', p99, ' ms');
  figures.add("the others' p99 against quiet", p99 / quietP99, 'x');
  const against = p99 / Math.max(quietP99, QUIET_FLOOR_MS);
  const name = `the same, with ${QUIET_FLOOR_MS} ms of quiet at least`;
  figures.add(name, against, 'x', { atMost: bounds.othersP99 });
  const failed = failuresOf(onset.others) + failuresOf(measured.others);
  figures.add('calls of the others that failed', failed, '', { atMost: bounds.failed });
  figures.add('ready, p99', ready, ' ms', { atMost: bounds.readyP99Ms });
  figures.add('ready, the longest', percentile(measured.ready.tookMs, 1), ' ms');
  addLag(figures, measured, bounds);
  const begins = `the others, p99, while ${connections} connections open`;
  figures.add(begins, onsetP99, ' ms', { atMost: onsetP99MaxMs(connections) });
  notePauses(figures, onset.pauses);
  const { lagMaxMs, pauses } = measured;
  return [quietP50, quietP99, p50, p99, p99 / quietP99, ready, lagMaxMs, pauses.maxMs, onsetP99]
    .map((value) => value.toFixed(1).padStart(9))
    .join('');
}

/** A pause of the machine also stops the event loop, possibly during its longest turn. */
function addLag(figures: Figures, { lagP99Ms, lagMaxMs, pauses }: Measured, bounds: Bounds): void {
  figures.add("delay of the API's event loop, p99", lagP99Ms, ' ms', { atMost: bounds.lagP99Ms });
  const isPaused = pauses.maxMs > bounds.lagMaxMs;
  if (isPaused) figures.note(`the machine itself paused for ${pauses.maxMs.toFixed(1)} ms, which is allowed`);
  figures.add("delay of the API's event loop, the longest", lagMaxMs, ' ms', {
    atMost: Math.round(bounds.lagMaxMs + (isPaused ? pauses.maxMs : 0)),
  });
}

export function addMore(
  figures: Figures,
  { memoryMib, downloads, receipts, destination }: Under,
  bounds: Bounds,
): void {
  figures.add("growth of the API's memory", memoryMib, ' MiB', { atMost: bounds.memoryGrowthMib });
  if (downloads) {
    const started = percentile(downloads.firstByteMs, 0.99);
    figures.add("the others' downloads begin, p99", started, ' ms', { atMost: bounds.downloadStartP99Ms });
    figures.add("the others' downloads that failed", failuresOf(downloads), '', { atMost: bounds.failed });
  }
  if (receipts) addReceipts(figures, 'during it', receipts, bounds);
  if (destination) {
    const { inFlightMax, perSecond } = destination;
    const bound = { atMost: bounds.destinationInFlight };
    figures.add('under way at the destination, at most', inFlightMax, '', bound);
    figures.add('requests to the destination', perSecond, ' /s', { atMost: bounds.destinationPerSecond });
  }
}

export function addReceipts(figures: Figures, when: string, receipts: PacedAnswers, bounds: Bounds): void {
  const [p50, p95] = [percentile(receipts.tookMs, 0.5), percentile(receipts.tookMs, 0.95)];
  figures.add(`the others' text receipts ${when}, p50`, p50, ' ms');
  figures.add(`the others' text receipts ${when}, p95`, p95, ' ms', { atMost: bounds.receiptP95Ms });
  const failed = failuresOf(receipts);
  figures.add(`the others' text receipts ${when} that failed`, failed, '', { atMost: bounds.failed });
}
