import { Figures, median, queueStores, startService, type TestService } from '@counterfoil/test-harness';
import type { Page } from 'playwright-core';
import { ConsoleBrowser } from '../console-browser';

const ROWS = Number(process.env['CONSOLE_BENCH_ROWS'] ?? 1_000_000);
const TURNS = 5;
const SCROLL_MS = 4_000;
/** About three rows a frame: a fast turn of the wheel. */
const PIXELS_A_SECOND = 6_000;
const FIRST_ROWS_MS = 1_000;
const FRAMES_A_SECOND = 50;
const ENDPOINT = 'we_bench';

const figures = new Figures();
let service: TestService;
let console: ConsoleBrowser;
let page: Page;

let companyId: number;

async function seedVendors(): Promise<void> {
  await service.database.query(
    `insert into entities (visible_id, company_id, is_vendor, name, tax_id, type, created_at, updated_at)
     select gen_random_uuid(), $1, true, 'Vendor ' || n, (510000000 + n)::text, 'COMPANY', now(), now()
       from generate_series(1, $2::int) n`,
    [companyId, ROWS],
  );
  await service.database.vacuum('entities');
}

async function seedExpenses(): Promise<void> {
  await service.database.query(
    `with file as (
       insert into files (company_id, user_id, storage_key, file_name, mime_type, size, sha256, created_at)
       select $1, min(id), 'bench', 'receipt.pdf', 'application/pdf', 1000, repeat('0', 64), now()
         from users where company_id = $1
       returning id, user_id
     )
     insert into expenses (company_id, entity_id, title, date, document_number, currency, total, tax, deductable_tax,
       created_at, updated_at, user_id, file_id, is_equipment, total_in_ils)
     select $1, (select min(id) from entities where company_id = $1 and is_vendor), 'Fuel ' || n,
            date '2021-11-22' + n % 1826, 'R-' || n, 'ILS', 1 + n % 10000, 0, 0, now(), now(), file.user_id, file.id,
            false, 1 + n % 10000
       from file, generate_series(1, $2::int) n`,
    [companyId, ROWS],
  );
  await service.database.vacuum('expenses', 'cost_counts');
}

async function seedDeliveries(): Promise<void> {
  await service.database.query(
    `insert into webhook_endpoints (id, company_id, url, events, secret_sealed, created_at, paused_at)
     values ($1, $2, 'https://example.com/', '{*}', '', now(), now())`,
    [ENDPOINT, companyId],
  );
  await service.database.query(
    `insert into outbox_events (id, company_id, type, body, created_at, relayed_at)
     select 'evt_' || n, $1, 'document.created', '{}', now(), now() from generate_series(1, $2::int) n`,
    [companyId, ROWS],
  );
  await service.database.query(
    `insert into webhook_deliveries
       (company_id, endpoint_id, event_id, event_type, state, attempts, tries, created_at)
     select $1, $3, 'evt_' || n, 'document.created', 'delivered', 1, 1, now() - n * interval '1 second'
       from generate_series(1, $2::int) n`,
    [companyId, ROWS, ENDPOINT],
  );
  await service.database.vacuum('webhook_deliveries', 'outbox_events');
}

beforeAll(async () => {
  figures.heading(`lists of ${ROWS.toLocaleString('en-US')} rows in the console, in Chromium`);
  service = await startService(queueStores()[0]!, { LOG_LEVEL: 'warn' });
  const [company] = await service.database.query<{ id: number }>('select min(id)::int as id from companies');
  companyId = company!.id;
  console = await ConsoleBrowser.launch(service);
  page = await console.signIn('company');
});

afterAll(async () => {
  await console?.leave();
  await console?.close();
  await service?.stop();
});

/** From a click in the navigation, or a load of the page, to the first rows, in ms. */
async function firstRows(go: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await go();
  await page.locator('.long tbody tr td:nth-child(2)').first().waitFor();
  return performance.now() - started;
}

interface Scrolled {
  readonly frames: number;
  readonly tookMs: number;
  readonly worstMs: number;
  /** Frames in which a row in the view was not read yet. */
  readonly waiting: number;
}

/** Scrolls the list by its own pixels in each frame, and counts the frames. */
const scroll = (pixels: number): Promise<Scrolled> =>
  page.evaluate<Scrolled>(`new Promise((done) => {
    const box = document.querySelector('.long');
    const started = performance.now();
    const state = { frames: 0, worstMs: 0, waiting: 0 };
    let before = started;
    const frame = (now) => {
      const passed = Math.max(0, now - before);
      state.frames += 1;
      state.worstMs = Math.max(state.worstMs, passed);
      if (box.querySelector('td[colspan]')) state.waiting += 1;
      before = now;
      box.scrollTop += (passed * ${pixels}) / 1000;
      if (now - started < ${SCROLL_MS}) requestAnimationFrame(frame);
      else done({ ...state, tookMs: now - started });
    };
    requestAnimationFrame(frame);
  })`);

const rate = ({ frames, tookMs }: Scrolled) => (frames * 1_000) / tookMs;

/** Frames a second of a page that only asks for frames: what the machine can draw at most. */
const idleRate = (): Promise<number> =>
  page.evaluate<number>(`new Promise((done) => {
    let frames = 0;
    const started = performance.now();
    const frame = (now) => {
      frames += 1;
      if (now - started < 2000) requestAnimationFrame(frame);
      else done((frames * 1000) / (now - started));
    };
    requestAnimationFrame(frame);
  })`);

it.each([
  ['vendors', 'vendors', seedVendors],
  ['expenses', 'expenses', seedExpenses],
  ['deliveries', `webhooks/${ENDPOINT}`, seedDeliveries],
])('%s', async (name, at, seed) => {
  await seed();
  const took: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    await console.goto('company');
    await console.settled();
    took.push(await firstRows(() => console.goto(at)));
  }
  figures.add(`${name}: page loaded, first rows`, median(took), ' ms', { atMost: FIRST_ROWS_MS });
  const deep = await firstRows(() => console.goto(`${at}?offset=${Math.floor(ROWS * 0.9)}`));
  figures.add(`${name}: at nine tenths of the list`, deep, ' ms');
  await console.goto(at);
  await console.settled();
  await scroll(0);
  figures.add(`${name}: without scrolling`, await idleRate(), ' frames/s');
  const runs: Scrolled[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) runs.push(await scroll(PIXELS_A_SECOND));
  figures.add(`${name}: scrolling`, median(runs.map(rate)), ' frames/s', { atLeast: FRAMES_A_SECOND });
  figures.add(`${name}: the longest frame`, median(runs.map(({ worstMs }) => worstMs)), ' ms');
  const waited = runs.map(({ waiting, frames }) => (100 * waiting) / frames);
  figures.add(`${name}: frames with a row not read yet`, median(waited), ' %');
  expect(console.faults).toEqual([]);
});

afterAll(() => {
  expect(figures.broken).toEqual([]);
});
