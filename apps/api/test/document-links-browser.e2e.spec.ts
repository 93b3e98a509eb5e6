import {
  chromiumProgram,
  launchChromium,
  queueStores,
  seriousViolationsOn,
  startService,
  type TestService,
} from '@counterfoil/test-harness';
import type { Browser, Page } from 'playwright-core';

const PHONE = { width: 390, height: 844 };
const HOSTILE = '"><script>document.title = "owned"</script><img src=https://evil.example/x>';

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

async function send<T>(method: string, path: string, body: object): Promise<T> {
  const answer = await service.request<T>(method, path, body);
  expect({ path, isDone: answer.status < 300 }).toEqual({ path, isDone: true });
  return answer.body;
}

/** Issues an invoice with long and hostile texts and large figures, and returns a link to it. */
async function linkTo(language: 'he' | 'en'): Promise<string> {
  const bankAccounts = [{ bank: 'Bank Leumi 10', account: '1234567', iban: 'IL620108000000099999999' }];
  await send('PUT', '/company', { bankAccounts, accentColor: '#ffe08a', documentFooter: HOSTILE });
  const client = { name: `${HOSTILE} ${'x'.repeat(80)}`, taxId: '514000017', type: 'COMPANY' };
  const { clientId } = await send<{ clientId: number }>('POST', '/clients/create', client);
  const items = [
    { description: `ייעוץ ${HOSTILE}`, quantity: 1234.5, unitPrice: 1_234.5678, discountPercent: 12.5 },
    { description: 'y'.repeat(120), quantity: 1, unitPrice: 9_999_999.99, vatRate: 0 },
  ];
  const asked = { entityId: clientId, items, notes: HOSTILE, dueDate: '2999-01-01' };
  const { id } = await send<{ id: number }>('POST', '/documents/create/tax-invoice', asked);
  return (await send<{ url: string }>('POST', `/documents/id/${id}/share`, { language })).url;
}

async function open(url: string): Promise<void> {
  page = await browser.newPage({ viewport: PHONE });
  faults = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url)) faults.push(request.url());
  });
  await page.goto(url, { waitUntil: 'load' });
}

const widthOfContent = () => page.evaluate<number>('document.documentElement.scrollWidth');

(chromiumProgram === undefined ? describe.skip : describe).each(['he', 'en'] as const)(
  `a shared document on a phone in ${chromiumProgram ?? 'no browser'}, in %s`,
  (language) => {
    beforeAll(async () => open(await linkTo(language)), 60_000);
    afterAll(() => page?.close());

    it('shows hostile texts as text', async () => {
      expect(await page.title()).not.toBe('owned');
      const text = (await page.textContent('body')) ?? '';
      expect(text.split(HOSTILE).length - 1).toBe(4);
      expect(await page.evaluate<string>('document.dir')).toBe(language === 'he' ? 'rtl' : 'ltr');
    });

    it('fits the width of a phone', async () => {
      expect(await widthOfContent()).toBeLessThanOrEqual(PHONE.width);
    });

    it('has its style, and nothing that axe calls serious or critical', async () => {
      const border = await page.evaluate<string>(
        `getComputedStyle(document.querySelector('.issuer')).borderBottomColor`,
      );
      expect(border).toBe('rgb(255, 224, 138)');
      expect(await seriousViolationsOn(page)).toEqual([]);
    });

    it('reaches the table of items and the PDF by keyboard', async () => {
      const focused = () =>
        page.evaluate<string>(`document.activeElement.className || document.activeElement.tagName`);
      await page.keyboard.press('Tab');
      expect(await focused()).toBe('A');
      await page.keyboard.press('Tab');
      expect(await focused()).toBe('wide');
    });

    it('prints the document without its state', async () => {
      await page.emulateMedia({ media: 'print' });
      expect(await page.isVisible('.share')).toBe(false);
      expect(await page.isVisible('h1')).toBe(true);
      await page.emulateMedia({ media: 'screen' });
    });

    it('causes no error on the console, and asks nothing of other hosts', () => expect(faults).toEqual([]));

    it('says on a page that a link opens nothing', async () => {
      await page.goto(`${service.url}/d/none`);
      expect(await page.textContent('main')).toContain('There is no document here');
      expect(await seriousViolationsOn(page)).toEqual([]);
      expect(await widthOfContent()).toBeLessThanOrEqual(PHONE.width);
    });
  },
);
