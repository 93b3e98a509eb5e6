import {
  chromiumProgram,
  launchChromium,
  queueStores,
  seriousViolationsOn,
  startService,
  type TestService,
} from '@counterfoil/test-harness';
import type { Browser, Page } from 'playwright-core';

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
/** Scalar needs seconds of a processor, which tests share. */
const DRAWN_MS = 300_000;
const DRAWN = '#reference section[id$="/POST/clients/create"]';

let service: TestService;
let browser: Browser;
let page: Page;
/** Errors on the console of a page, and requests to other hosts. */
let faults: string[];

beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  service = await startService(queueStores()[0]!);
  browser = await launchChromium();
}, 300_000);

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

async function open(at: string, viewport = DESKTOP): Promise<void> {
  page = await browser.newPage({ viewport });
  page.setDefaultTimeout(DRAWN_MS);
  faults = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url) && !request.url().startsWith('data:'))
      faults.push(request.url());
  });
  await page.goto(service.url + at, { waitUntil: 'commit' });
}

interface Focused {
  readonly text: string;
  readonly testId: string | undefined;
}

const focused = () =>
  page.evaluate<Focused>(
    `({ text: document.activeElement.textContent.trim(), testId: document.activeElement.dataset.testid })`,
  );

/** Presses Tab until the focus is on the element, as often as a person would. */
async function tabTo(isIt: (element: Focused) => boolean): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if (isIt(await focused())) return;
  }
  throw new Error(`not reached; the focus is on ${(await focused()).text}`);
}

const widthOfContent = () => page.evaluate<number>('document.documentElement.scrollWidth');

(chromiumProgram === undefined ? describe.skip : describe)(
  `the pages in ${chromiumProgram ?? 'no browser'}`,
  () => {
    describe('at /docs', () => {
      beforeAll(() => open('/docs'), 60_000);
      afterAll(() => page?.close());

      it('list every operation before Scalar has drawn the reference', async () => {
        const text = (await page.textContent('#index')) ?? '';
        expect(text).toContain('POST /clients/create');
        expect(text.match(/ (GET|POST|PUT|DELETE) \//g)!.length).toBeGreaterThan(90);
      });

      it(
        'then show the reference in its place',
        async () => {
          await page.waitForSelector(DRAWN, { state: 'attached' });
          await page.waitForSelector('#index', { state: 'detached' });
          expect(await page.textContent(DRAWN)).toContain('Create a client');
        },
        DRAWN_MS,
      );

      it('have nothing that axe calls serious or critical', async () => {
        expect(await seriousViolationsOn(page)).toEqual([]);
      });

      it('show samples in curl, Node and Python', async () => {
        const operation = page.locator(DRAWN);
        await operation.scrollIntoViewIfNeeded();
        await operation.getByTestId('client-picker').click();
        const options = page.locator('[role=option]');
        await options.filter({ hasText: 'Node (SDK)' }).waitFor();
        const names = (await options.allTextContents()).map((name) => name.trim());
        expect(names).toEqual(expect.arrayContaining(['Curl', 'Node (SDK)', 'Python']));
        await page.keyboard.press('Escape');
      });

      it('fit the width of a phone', async () => {
        await page.setViewportSize(PHONE);
        expect(await widthOfContent()).toBeLessThanOrEqual(PHONE.width);
      });

      it('cause no error on the console, and ask nothing of other hosts', () => expect(faults).toEqual([]));
    });

    it('lead to an operation and its samples by keyboard', async () => {
      await open('/docs');
      await page.waitForSelector('#index', { state: 'detached' });
      await page.focus('.bar .home');
      await tabTo((focused) => focused.text.startsWith('Vendors'));
      await page.keyboard.press('Enter');
      await tabTo(({ text }) => text.startsWith('Create a vendor'));
      await page.keyboard.press('Enter');
      await page.waitForSelector('section[id$="/POST/vendors/create"]:focus');
      expect(page.url()).toContain('#tag/vendors/POST/vendors/create');
      await tabTo(({ testId }) => testId === 'client-picker');
      await page.keyboard.press('Enter');
      // The list takes keys only when it is open, and Enter chooses what is left of it.
      const options = page.locator('[role=option]');
      await options.filter({ hasText: 'Python' }).waitFor();
      await page.keyboard.type('Node');
      await options.filter({ hasText: 'Python' }).waitFor({ state: 'hidden' });
      await page.keyboard.press('Enter');
      const sample = page.locator('section[id$="/POST/vendors/create"]');
      await sample.getByText('client.vendors.create(').first().waitFor();
      await page.close();
    });

    it(
      'fit the width of a phone beside an operation with a long heading',
      async () => {
        await open('/docs#tag/webhooks/GET/webhooks/stream', PHONE);
        await page.waitForSelector('section[id$="/GET/webhooks/stream"] .section-header');
        await page.waitForSelector('#index', { state: 'detached' });
        expect(await widthOfContent()).toBeLessThanOrEqual(PHONE.width);
        await page.close();
      },
      DRAWN_MS,
    );

    describe.each(['/', '/docs/guides/errors', '/docs/guides/tour'])('at %s', (at) => {
      beforeAll(() => open(at, PHONE), 60_000);
      afterAll(() => page?.close());

      it('have nothing that axe calls serious or critical', async () => {
        await page.waitForLoadState('load');
        expect(await seriousViolationsOn(page)).toEqual([]);
      });

      it('fit the width of a phone', async () => {
        expect(await widthOfContent()).toBeLessThanOrEqual(PHONE.width);
      });

      it('cause no error on the console, and ask nothing of other hosts', () => expect(faults).toEqual([]));
    });

    it('can be used by keyboard: the list of guides, and a link in it', async () => {
      await open('/docs/guides/errors');
      await page.waitForLoadState('load');
      await page.focus('.bar summary');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.bar details[open]');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/docs/guides/tour');
    });

    it('lead from an error code to its row', async () => {
      await open('/docs/guides/errors#INSUFFICIENT_STOCK');
      await page.waitForLoadState('load');
      const row = page.locator('tr:target');
      expect(await row.textContent()).toContain('INSUFFICIENT_STOCK');
    });
  },
);
