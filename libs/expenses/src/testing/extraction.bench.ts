import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  type EventReceiver,
  Figures,
  median,
  pdfOf,
  percentile,
  processFamily,
  queueStores,
  startEventReceiver,
  startProcesses,
  stream,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { type BareReader, startBareReader } from './bare-reader';
import floor from './extraction-floor.json';
import { receiptsSet } from './receipts-set';

const SAMPLE_MS = 50;
const MIB = 1024 * 1024;
/** The maximum median for one page, in ms. */
const BOUNDS: Readonly<Record<string, number>> = { 'pdf-text': 150, xml: 50 };
/**
 * The time of an OCR page relative to the same page in the bare reader, median and p95, because machines
 * differ.
 */
const OCR_AGAINST_BARE = 1.5;

interface Extracted {
  readonly success?: boolean;
  readonly expenseData?: object;
  readonly source?: string;
  readonly error?: string;
}

interface Timed {
  readonly source: string;
  readonly msPerPage: number;
  /** Time of the bare reader, if pages were recognised by OCR. */
  readonly bareMsPerPage?: number;
}

let figures: Figures;
const predictions = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-predictions-'));
let service: ServiceProcesses;
let receiver: EventReceiver;

beforeAll(async () => {
  receiver = await startEventReceiver();
  service = await startProcesses(queueStores()[0]!, {
    LOG_LEVEL: 'warn',
    ...receiver.settings,
  });
});
beforeEach(() => {
  figures = new Figures();
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
  fs.rmSync(predictions, { recursive: true, force: true });
});

/** Returns the memory of all processes below the worker, in bytes: the sum and the largest. */
function readersMemory(): { total: number; largest: number } {
  const readers = processFamily(service.worker.pid).slice(1);
  const { stdout } = spawnSync('ps', ['--no-headers', '-o', 'rss=', '-p', readers.join()]);
  const sizes = stdout
    .toString()
    .trim()
    .split(/\s+/)
    .map((kib) => Number(kib) * 1024);
  return { total: sizes.reduce((sum, size) => sum + size, 0), largest: Math.max(0, ...sizes) };
}

/** Reads the files one after the other. Returns the time of each page and the peak memory. */
async function readAll(
  files: readonly string[],
  bareReader: BareReader,
): Promise<{ timed: Timed[]; peak: { total: number; largest: number } }> {
  const timed: Timed[] = [];
  const peak = { total: 0, largest: 0 };
  const sampling = setInterval(() => {
    const now = readersMemory();
    peak.total = Math.max(peak.total, now.total);
    peak.largest = Math.max(peak.largest, now.largest);
  }, SAMPLE_MS);
  for (const file of files) {
    const bytes = fs.readFileSync(file);
    const fileId = await service.upload(bytes);
    const started = performance.now();
    const { body } = await service.request<Extracted>('GET', `/expenses/extract-from-file/${fileId}`);
    const tookMs = performance.now() - started;
    const name = path.parse(file).name;
    fs.writeFileSync(path.join(predictions, `${name}.json`), JSON.stringify(body.expenseData ?? {}));
    if (body.source) {
      const pages = await pagesOf(fileId);
      const bare =
        body.source === 'ocr' ? { bareMsPerPage: (await bareReader.recognise(bytes)) / pages } : {};
      timed.push({ source: body.source, msPerPage: tookMs / pages, ...bare });
    } else figures.note(`${path.basename(file)}: ${body.error}`);
  }
  clearInterval(sampling);
  return { timed, peak };
}

async function pagesOf(fileId: number): Promise<number> {
  const [row] = await service.database.query<{ pages: number }>(
    `select (outcome #>> '{reading,pages}')::int as pages
       from receipt_readings join files using (company_id, sha256) where files.id = $1`,
    [fileId],
  );
  return Math.max(1, row!.pages);
}

/** Runs the scorer of the set. Returns its output and its figures by name. */
function judged(set: string): {
  printed: string;
  kinds: Map<string, number>;
  macroF1: number;
  totalPrecision: number;
} {
  const scorer = path.join(set, 'score.mjs');
  const printed = execFileSync(process.execPath, [scorer, predictions, path.join(set, 'truth')]).toString();
  const lines = printed.split('\n');
  const kinds = Object.keys(floor.kinds).map((kind) => {
    const line = lines.find((each) => each.startsWith(`${kind} `));
    return [kind, Number(line?.trim().split(/\s+/).at(-1) ?? 0)] as const;
  });
  const total =
    lines
      .find((line) => line.startsWith('total '))
      ?.trim()
      .split(/\s+/) ?? [];
  return {
    printed,
    kinds: new Map(kinds),
    macroF1: Number(/macroF1=([\d.]+)$/m.exec(printed.replace(/^kindMacroF1.*$/m, ''))?.[1]),
    totalPrecision: Number(total.at(-3)),
  };
}

function addTimes(timed: readonly Timed[]): void {
  for (const source of ['xml', 'text', 'pdf-text', 'ocr'] as const) {
    const took = timed.filter((each) => each.source === source);
    const pages = took.map(({ msPerPage }) => msPerPage);
    if (pages.length === 0) continue;
    const bound = BOUNDS[source];
    figures.add(`${source}: a page, p50`, median(pages), ' ms', bound ? { atMost: bound } : undefined);
    figures.add(`${source}: a page, p95`, percentile(pages, 0.95), ' ms');
    const bare = took.flatMap(({ bareMsPerPage = [] }) => bareMsPerPage);
    if (bare.length === 0) continue;
    const against = { atMost: OCR_AGAINST_BARE };
    figures.add('  p50 against the bare reader', median(pages) / median(bare), ' x', against);
    const p95 = percentile(pages, 0.95) / percentile(bare, 0.95);
    figures.add('  p95 against the bare reader', p95, ' x', against);
  }
}

it('reads the receipts of the set', async () => {
  const set = receiptsSet();
  const files = fs.readdirSync(path.join(set, 'documents')).sort();
  figures.heading(`${files.length} documents, one after the other, over HTTP`);
  const bareReader = await startBareReader();
  const { timed, peak } = await readAll(
    files.map((file) => path.join(set, 'documents', file)),
    bareReader,
  ).finally(() => bareReader.stop());
  const { printed, kinds, macroF1, totalPrecision } = judged(set);
  process.stdout.write(`\n${printed}`);

  addTimes(timed);
  figures.add('the largest process of the reader', peak.largest / MIB, ' MiB', { atMost: 1024 });
  figures.add('all of them together', peak.total / MIB, ' MiB');
  for (const [kind, least] of Object.entries(floor.kinds)) {
    figures.add(`F1 of ${kind}`, kinds.get(kind) ?? 0, '', { atLeast: least });
  }
  figures.add('macroF1', macroF1, '', { atLeast: floor.macroF1 });
  figures.add('precision of total', totalPrecision, '', { atLeast: floor.totalPrecision });
  expect(figures.broken).toEqual([]);
}, 900_000);

const PHOTO = path.join(__dirname, '../../../receipt-reader/samples/turned-photo.jpg');
const PHOTO_SIZE = '/Width 1301 /Height 1051';
/** The time limit of a caller. */
const TIMEOUT_MS = 30_000;

/** A scan with this many pages. Each has the same photo, rotated by a quarter turn. */
function scanOf(pages: number): Buffer {
  const image = stream(
    fs.readFileSync(PHOTO),
    `/Type /XObject /Subtype /Image ${PHOTO_SIZE} /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /DCTDecode`,
  );
  const page = stream('q 842 0 0 680 0 0 cm /Im Do Q');
  return pdfOf(
    Array.from({ length: pages }, () => page),
    {
      ...{ box: '0 0 842 680', resources: '/XObject << /Im 3 0 R >>', objects: [image] },
    },
  );
}

it('reads a scan of ten pages while its caller waits', async () => {
  const fileId = await service.upload(scanOf(10));
  const started = performance.now();
  const { body } = await service.request<Extracted>('GET', `/expenses/extract-from-file/${fileId}`);
  figures.heading('a scan of ten pages, over HTTP');
  figures.add('read in', performance.now() - started, ' ms', { below: TIMEOUT_MS });
  expect(body).toMatchObject({ success: true, source: 'ocr' });
  expect(await pagesOf(fileId)).toBe(10);
  expect(figures.broken).toEqual([]);
}, 120_000);

const EVENTS = 400;
const CLIENTS = 8;
const ROUNDS = 3;
/** The share of the delivery rate that must remain while pages are recognised. */
const PACE_LEFT = 0.7;

/** Sends test events, and returns the number of deliveries per second. */
async function deliveriesPerSecond(endpointId: string): Promise<number> {
  const before = receiver.received.length;
  const started = performance.now();
  const client = async () => {
    for (let sent = 0; sent < EVENTS / CLIENTS; sent++) {
      await service.request('POST', `/webhooks/${endpointId}/test`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  await until('the deliveries', () => receiver.received.length >= before + EVENTS, 60_000);
  return EVENTS / ((performance.now() - started) / 1_000);
}

it('does not slow down deliveries while pages are recognised', async () => {
  const { body } = await service.request<{ id: string }>('POST', '/webhooks', {
    ...{ url: receiver.url, events: ['charge.failed'] },
  });
  const photo = fs.readFileSync(PHOTO);
  let pages = 0;
  let reading = false;
  const read = async (client: number) => {
    // The bytes differ each time, so that no cached reading is used.
    for (let nth = 0; reading; nth++) {
      const fileId = await service.upload(
        Buffer.concat([photo, Buffer.from(`${client} ${nth} ${Date.now()}`)]),
      );
      await service.request('GET', `/expenses/extract-from-file/${fileId}`);
      pages += 1;
    }
  };
  await deliveriesPerSecond(body.id);
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await deliveriesPerSecond(body.id));
    reading = true;
    const readers = [read(1), read(2)];
    beside.push(await deliveriesPerSecond(body.id));
    reading = false;
    await Promise.all(readers);
  }
  figures.heading(
    `${EVENTS} deliveries, ${CLIENTS} clients, ${ROUNDS} rounds; ${pages} pages recognised beside them`,
  );
  figures.add('deliveries alone', median(alone), '/s');
  figures.add('deliveries beside pages', median(beside), '/s');
  figures.add('what is left of the pace', median(beside) / median(alone), 'x', { atLeast: PACE_LEFT });
  expect(pages).toBeGreaterThan(0);
  expect(figures.broken).toEqual([]);
}, 300_000);
