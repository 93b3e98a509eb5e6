import { Figures, percentile } from '@counterfoil/test-harness';
import { MemoryWatch } from '../uploads';
import {
  downloading,
  endExtracting,
  everything,
  everythingAndPricelists,
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
  ATTACK_MS,
  BOUNDS,
  type Bounds,
  FIVE_FLOODS_BOUNDS,
  PRICELIST_BOUNDS,
  READING_BOUNDS,
  SIX_FLOODS_BOUNDS,
} from './hostile-bounds';
import { addMore, addOthers, addReceipts, COLUMNS, type Under } from './hostile-figures';
import { endReplaying, receivedWithin, replaying } from './hostile-replays';
import { HostileSite, type Measured } from './hostile-site';

const QUIET_MS = 6_000;
/** Time in which the attackers open their connections. */
const ONSET_MS = 8_000;
const RECEIPTS_AFTER_MS = 10_000;
const NAME_WIDTH = 50;

interface Attack {
  readonly name: string;
  readonly prepare: Prepare;
  /** Maximum number of connections that the attackers have open at once. */
  readonly connections: number;
  /** An additional measurement besides the others' calls and the memory. */
  readonly looksAt?: 'downloads' | 'receipts' | 'destination';
  readonly end?: (site: HostileSite) => Promise<void>;
  /** Replaces some of `BOUNDS`. */
  readonly bounds?: Partial<Bounds>;
}

const EXTRACTS = { looksAt: 'receipts', end: endExtracting } as const;

const ATTACKS: readonly Attack[] = [
  { name: 'a stranger sends bodies of 1 MiB', prepare: strangersBodies, connections: 50 },
  { name: 'a stranger leaves 1,500 bodies half sent', prepare: strangersHalves, connections: 1_500 },
  { name: 'a stranger tries keys', prepare: strangersKeys, connections: 50 },
  { name: 'a stranger reads and leaves unread what is public', prepare: strangersReading, connections: 350 },
  { name: 'a company searches, 250 at once', prepare: searching, connections: 250 },
  { name: 'a company reads all that is long', prepare: reading, connections: 20, bounds: READING_BOUNDS },
  { name: 'a company previews 1,000 items', prepare: previewing, connections: 40 },
  {
    name: 'a company sends pricelists and odd bodies',
    prepare: sendingLargeBodies,
    connections: 40,
    bounds: PRICELIST_BOUNDS,
  },
  { name: 'a company uploads, slowly and fast', prepare: uploading, connections: 590 },
  { name: 'a company issues', prepare: issuing, connections: 100 },
  {
    name: 'a company does five things at once',
    prepare: everything,
    connections: 1_010,
    bounds: FIVE_FLOODS_BOUNDS,
    ...EXTRACTS,
  },
  {
    name: 'a company does the same and sends pricelists',
    prepare: everythingAndPricelists,
    connections: 1_050,
    bounds: SIX_FLOODS_BOUNDS,
    ...EXTRACTS,
  },
  {
    name: 'three companies leave 600 downloads unread',
    prepare: downloading,
    connections: 600,
    looksAt: 'downloads',
  },
  {
    name: 'webhooks are replayed',
    prepare: replaying,
    connections: 20,
    looksAt: 'destination',
    end: endReplaying,
  },
  {
    name: 'three companies have hostile documents read',
    prepare: extracting,
    connections: 30,
    ...EXTRACTS,
  },
];

/** Measures the service during one attack. The attack is over when this resolves. */
async function attacked(site: HostileSite, { prepare, connections, looksAt }: Attack): Promise<Under> {
  const start = await prepare(site);
  const readReceipts = looksAt === 'receipts' ? await site.readyReceipts(ATTACK_MS) : null;
  const memory = new MemoryWatch(site.service.api.pid);
  const attack = start(ONSET_MS + ATTACK_MS);
  const onset = await site.measure(ONSET_MS);
  const measuring = site.measure(ATTACK_MS);
  const [measured, downloads, receipts, destination] = await Promise.all([
    measuring,
    looksAt === 'downloads' ? site.downloads(ATTACK_MS) : null,
    readReceipts?.() ?? null,
    looksAt === 'destination' ? receivedWithin(site, measuring) : null,
  ]);
  const told = await attack;
  return {
    ...{ connections, onset, measured, told, memoryMib: memory.grownMib() },
    ...{ ...(downloads ? { downloads } : {}), ...(receipts ? { receipts } : {}) },
    ...(destination ? { destination } : {}),
  };
}

describe('hostile callers', () => {
  const figures = new Figures();
  const rows: string[] = [];
  let site: HostileSite;
  /** The figures of the quiet period before the next attack. */
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

  it.each(ATTACKS)('do not affect the service for others: $name', async (attack) => {
    const brokenBefore = figures.broken.length;
    const bounds = { ...BOUNDS, ...attack.bounds };
    const found = await attacked(site, attack);
    // Measured before the attackers' requests are deleted, while they are still being read.
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
