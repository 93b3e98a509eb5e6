import { Figures, type PacedAnswers, percentile } from '@counterfoil/test-harness';
import { COMPANY_PLACES, UNWELCOME_BURST, UNWELCOME_PER_SECOND } from '@counterfoil/webhooks';
import { MemoryWatch } from '../uploads';
import {
  downloading,
  endExtracting,
  everything,
  extracting,
  issuing,
  type Prepare,
  previewing,
  reading,
  searching,
  sendingLargeBodies,
  strangersBodies,
  strangersHalves,
  strangersKeys,
  strangersReading,
  uploading,
} from './hostile-attacks';
import {
  endReplaying,
  type Received,
  receivedWithin,
  REPLAYING_COMPANIES,
  replaying,
} from './hostile-replays';
import { HostileSite, type Measured } from './hostile-site';

const QUIET_MS = 6_000;
/** Attackers open up to a thousand connections at once, and Node accepts one in each turn of the event loop. */
const ONSET_MS = 8_000;
const ATTACK_MS = 20_000;
const RECEIPTS_MS = 20_000;
const RECEIPTS_AFTER_MS = 10_000;

/** Limits that the service must meet while it is attacked. */
const BOUNDS = {
  /** Of the other companies' calls: on a machine that is busier with something else, the figures say nothing. */
  quietP99Ms: 500,
  /** p99 of the other companies' calls, as a multiple of the quiet p99, which counts as `QUIET_FLOOR_MS` at least. */
  othersP99: 3,
  /** Of the same calls, in milliseconds, while the attackers open their connections. */
  onsetP99Ms: 5_000,
  failed: 0,
  readyP99Ms: 100,
  /** No piece of work takes the event loop for longer; the machine may take as long away from it. */
  lagMaxMs: 100,
  lagP99Ms: 50,
  memoryGrowthMib: 256,
  downloadStartP99Ms: 1_000,
  receiptP95Ms: 2_000,
  destinationInFlight: REPLAYING_COMPANIES * COMPANY_PLACES,
  /** To a destination that acknowledges nothing: the steady rate, and the burst spread over the attack. */
  destinationPerSecond: UNWELCOME_PER_SECOND + UNWELCOME_BURST / (ATTACK_MS / 1_000),
} as const;

/** Less is below the time that two processors give to one process at a time. */
const QUIET_FLOOR_MS = 10;

const NAME_WIDTH = 50;
const COLUMNS =
  'the others: quiet p50, quiet p99, p50, p99, p99 against quiet; ready p99; longest delay of the API; p99 while it begins (ms)';

type Bounds = { readonly [Name in keyof typeof BOUNDS]: number };

/**
 * Six floods at once are more than two processors can carry, which PostgreSQL, the worker, its readers and the attackers
 * share with the API: how long the others wait is the machine's to say. They are served, and none is refused.
 */
const EVERYTHING_BOUNDS = { othersP99: 8 };

/** Bodies of 5 MiB: as bytes, as text, as values, and on their way to the database. */
const PRICELIST_BOUNDS = { memoryGrowthMib: 400 };

/** The rows of a statement are parsed in one piece: a full page in some 4 ms, a pricelist of 60,000 tiers in 20. */
const READING_BOUNDS = { othersP99: 10, memoryGrowthMib: 400 };

interface Attack {
  readonly name: string;
  readonly prepare: Prepare;
  /** Measured in addition to the others' calls. */
  readonly looksAt?: 'memory' | 'downloads' | 'receipts' | 'destination';
  readonly end?: (site: HostileSite) => Promise<void>;
  /** In place of some of `BOUNDS`. */
  readonly bounds?: Partial<Bounds>;
}

const ATTACKS: readonly Attack[] = [
  { name: 'a stranger sends bodies of 1 MiB', prepare: strangersBodies, looksAt: 'memory' },
  { name: 'a stranger leaves 1,500 bodies half sent', prepare: strangersHalves, looksAt: 'memory' },
  { name: 'a stranger tries keys', prepare: strangersKeys },
  { name: 'a stranger reads and leaves unread what is public', prepare: strangersReading, looksAt: 'memory' },
  { name: 'a company searches, 250 at once', prepare: searching },
  { name: 'a company reads all that is long', prepare: reading, looksAt: 'memory', bounds: READING_BOUNDS },
  { name: 'a company previews 1,000 items', prepare: previewing },
  {
    name: 'a company sends pricelists and odd bodies',
    prepare: sendingLargeBodies,
    looksAt: 'memory',
    bounds: PRICELIST_BOUNDS,
  },
  { name: 'a company uploads, slowly and fast', prepare: uploading },
  { name: 'a company issues', prepare: issuing },
  {
    name: 'a company does all of that at once',
    prepare: everything,
    looksAt: 'receipts',
    end: endExtracting,
    bounds: EVERYTHING_BOUNDS,
  },
  { name: 'three companies leave 600 downloads unread', prepare: downloading, looksAt: 'downloads' },
  { name: 'webhooks are replayed', prepare: replaying, looksAt: 'destination', end: endReplaying },
  {
    name: 'three companies have hostile documents read',
    prepare: extracting,
    looksAt: 'receipts',
    end: endExtracting,
  },
];

interface Under {
  readonly onset: Measured;
  readonly measured: Measured;
  readonly told: unknown;
  readonly memoryMib?: number;
  readonly downloads?: PacedAnswers;
  readonly receipts?: PacedAnswers;
  readonly destination?: Received;
}

/** Measures the service under one attack, which is over when this resolves. */
async function attacked(site: HostileSite, { prepare, looksAt }: Attack): Promise<Under> {
  const start = await prepare(site);
  const lasts = looksAt === 'receipts' ? RECEIPTS_MS : ATTACK_MS;
  const readReceipts = looksAt === 'receipts' ? await site.readyReceipts(lasts) : null;
  const memory = new MemoryWatch(site.service.api.pid);
  const attack = start(ONSET_MS + lasts);
  const onset = await site.measure(ONSET_MS);
  const measuring = site.measure(lasts);
  const [measured, downloads, receipts, destination] = await Promise.all([
    measuring,
    looksAt === 'downloads' ? site.downloads(lasts) : null,
    readReceipts?.() ?? null,
    looksAt === 'destination' ? receivedWithin(site, measuring) : null,
  ]);
  const told = await attack;
  const memoryMib = memory.grownMib();
  return {
    ...{ onset, measured, told, ...(looksAt === 'memory' ? { memoryMib } : {}) },
    ...{ ...(downloads ? { downloads } : {}), ...(receipts ? { receipts } : {}) },
    ...(destination ? { destination } : {}),
  };
}

const failuresOf = ({ failed }: PacedAnswers): number =>
  Object.values(failed).reduce((sum, count) => sum + count, 0);

function addOthers(
  figures: Figures,
  quiet: readonly Measured[],
  { onset, measured, told }: Under,
  bounds: Bounds,
): string {
  // The lower of the times before and after: work that an attack leaves behind must not raise its own bound.
  const [quietP50, quietP99] = [0.5, 0.99].map((share) =>
    Math.min(...quiet.map(({ others }) => percentile(others.tookMs, share))),
  ) as [number, number];
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(measured.others.tookMs, share)) as [
    number,
    number,
  ];
  const ready = percentile(measured.ready.tookMs, 0.99);
  figures.note(`the attackers' calls: ${JSON.stringify(told)}`);
  figures.note(`the others' slowest calls: ${measured.slowest.join(', ')}`);
  figures.add('the others, quiet, p50', quietP50, ' ms');
  figures.add('the others, quiet, p99', quietP99, ' ms', { atMost: bounds.quietP99Ms });
  figures.add('the others, p50', p50, ' ms');
  figures.add('the others, p99', p99, ' ms');
  figures.add("the others' p99 against quiet", p99 / quietP99, 'x');
  const against = p99 / Math.max(quietP99, QUIET_FLOOR_MS);
  figures.add(`the same, with ${QUIET_FLOOR_MS} ms of quiet at least`, against, 'x', {
    atMost: bounds.othersP99,
  });
  const onsetP99 = percentile(onset.others.tookMs, 0.99);
  figures.add('the others, p99, while it begins', onsetP99, ' ms', { atMost: bounds.onsetP99Ms });
  const failed = failuresOf(onset.others) + failuresOf(measured.others);
  figures.add('calls of the others that failed', failed, '', { atMost: bounds.failed });
  figures.add('ready, p99', ready, ' ms', { atMost: bounds.readyP99Ms });
  figures.add('ready, the longest', percentile(measured.ready.tookMs, 1), ' ms');
  figures.add("delay of the API's event loop, p99", measured.lagP99Ms, ' ms', { atMost: bounds.lagP99Ms });
  figures.add("delay of the API's event loop, the longest", measured.lagMaxMs, ' ms', {
    atMost: bounds.lagMaxMs,
  });
  return [quietP50, quietP99, p50, p99, p99 / quietP99, ready, measured.lagMaxMs, onsetP99]
    .map((value) => value.toFixed(1).padStart(9))
    .join('');
}

function addMore(
  figures: Figures,
  { memoryMib, downloads, receipts, destination }: Under,
  bounds: Bounds,
): void {
  if (memoryMib !== undefined) {
    figures.add("growth of the API's memory", memoryMib, ' MiB', { atMost: bounds.memoryGrowthMib });
  }
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

function addReceipts(figures: Figures, when: string, receipts: PacedAnswers, bounds: Bounds): void {
  const [p50, p95] = [0.5, 0.95].map((share) => percentile(receipts.tookMs, share)) as [number, number];
  figures.add(`the others' text receipts ${when}, p50`, p50, ' ms');
  figures.add(`the others' text receipts ${when}, p95`, p95, ' ms', { atMost: bounds.receiptP95Ms });
  const failed = failuresOf(receipts);
  figures.add(`the others' text receipts ${when} that failed`, failed, '', { atMost: bounds.failed });
}

describe('hostile callers', () => {
  const figures = new Figures();
  const rows: string[] = [];
  let site: HostileSite;
  /** The figures of the quiet time before the next attack. */
  let before: Measured;

  beforeAll(async () => {
    site = await HostileSite.open();
    await site.measure(QUIET_MS);
    before = await site.measure(QUIET_MS);
  });

  afterAll(async () => {
    await site?.close();
    figures.heading(COLUMNS);
    for (const row of rows) figures.note(row);
  });

  it.each(ATTACKS)('take the service from nobody else: $name', async (attack) => {
    const brokenBefore = figures.broken.length;
    const bounds = { ...BOUNDS, ...attack.bounds };
    const found = await attacked(site, attack);
    // Before the attackers' documents are forgotten: they are still being read.
    const receiptsAfter =
      attack.looksAt === 'receipts' ? await (await site.readyReceipts(RECEIPTS_AFTER_MS))() : null;
    await attack.end?.(site);
    const calmMs = await site.calm(percentile(before.others.tookMs, 0.5));
    const after = await site.measure(QUIET_MS);
    figures.heading(attack.name);
    rows.push(attack.name.padEnd(NAME_WIDTH) + addOthers(figures, [before, after], found, bounds));
    addMore(figures, found, bounds);
    if (receiptsAfter) addReceipts(figures, 'after the attack', receiptsAfter, bounds);
    figures.note(
      `as fast as before again after ${calmMs === null ? 'more than 30' : (calmMs / 1_000).toFixed(1)} s`,
    );
    before = after;
    expect(figures.broken.slice(brokenBefore)).toEqual([]);
  });
});
