import fs from 'node:fs/promises';
import path from 'node:path';
import { startEventReceiver, type EventReceiver, type TestService, until } from '@counterfoil/test-harness';
import type { BrowserContextOptions } from 'playwright-core';
import { type ConsoleBrowser, LOOKS } from './console-browser';
import { type Console, journeys } from './journeys';

/** `npm run console-pictures` sets the variable: then the pictures of the documentation are made again. */
const FOLDER = path.resolve(__dirname, '../../../docs/pictures');
const ARE_KEPT = process.env['CONSOLE_PICTURES'] === '1';
const LARGEST_BYTES = 150_000;
/** A4 without its margins. */
const PAPER = { width: 703, height: 1017 };
const SAMPLES = path.resolve(__dirname, '../../../libs/receipt-reader/samples');

let service: TestService;
let console: ConsoleBrowser;
let receiver: EventReceiver;
/** Where some records are shown. */
const at: Record<string, string> = {};

async function create<Answer>(to: string, body: object): Promise<Answer> {
  const answer = await service.request<Answer>('POST', to, body);
  expect(answer.status).toBeLessThan(300);
  return answer.body;
}

async function settings(): Promise<Readonly<Record<string, string>>> {
  receiver = await startEventReceiver();
  receiver.answerWith((_, response) => void response.writeHead(503).end('upstream is down'));
  return { ...receiver.settings, WEBHOOK_RETRY_DELAYS: '100ms' };
}

const VENDORS = ['Paper House Ltd', 'Galil Printing', 'קפה שדרות', 'Negev Logistics', 'Carmel Software'];
const COSTS = ['Copier paper', 'Business cards', 'קפה לפגישה', 'Courier to Haifa', 'Hosting'];

async function given(ready: Console): Promise<void> {
  ({ service, browser: console } = ready);
  const client = await create<{ clientId: number }>('/clients/create', {
    ...{ name: 'Corner Shop', taxId: '514000009', type: 'COMPANY', email: 'office@corner.example' },
  });
  for (const [index, name] of VENDORS.entries()) {
    const vendor = await create<{ vendorId: number; visibleId: string }>('/vendors/create', {
      ...{ name, taxId: String(514_100_000 + index), type: 'COMPANY', phoneNumber: `03-555010${index}` },
    });
    at['vendor'] ??= `vendors/${vendor.visibleId}`;
    const fileId = await service.upload(`${name}\n${COSTS[index]}\nTotal 118.00\nVAT 18.00\n`);
    const total = 118 * (index + 1);
    const { expenseId } = await create<{ expenseId: number }>('/expenses/create', {
      ...{ vendorId: vendor.vendorId, fileId, date: `2026-11-${10 + index}`, title: COSTS[index] },
      ...{
        total,
        tax: 18 * (index + 1),
        deductableTax: 18 * (index + 1),
        documentNumber: `R-${2041 + index}`,
      },
    });
    at['expense'] ??= `expenses/${expenseId}`;
  }
  const items = [
    { description: 'Consulting, November', quantity: 12, unitPrice: 350 },
    { description: 'Travel', quantity: 1, unitPrice: 180 },
  ];
  for (const type of ['quote', 'tax-invoice', 'proforma-invoice'] as const) {
    const to = `/documents/create/${type}`;
    const { body } = await service.request<{ visibleId?: string }>('POST', to, {
      ...{ entityId: client.clientId, items, notes: 'Thank you.' },
    });
    if (body.visibleId !== undefined) at['document'] = `documents/${body.visibleId}`;
  }
  const endpoint = await create<{ id: string }>('/webhooks', { url: receiver.url, events: ['*'] });
  const { deliveryId } = await create<{ deliveryId: number }>(`/webhooks/${endpoint.id}/test`, {
    type: 'document.created',
  });
  at['endpoint'] = `webhooks/${endpoint.id}`;
  at['delivery'] = `webhooks/${endpoint.id}/deliveries/${deliveryId}`;
  await until('dropped', async () => {
    const { body } = await service.request<{ state: string }>(
      'GET',
      `/webhooks/${endpoint.id}/deliveries/${deliveryId}`,
    );
    return body.state === 'dropped';
  });
}

const [ENGLISH, HEBREW, DARK, PHONE] = LOOKS.map(([, options]) => options);
const PICTURES: readonly (readonly [name: string, place: () => string, options: BrowserContextOptions])[] = [
  ['today', () => '', ENGLISH!],
  ['expenses', () => 'expenses', ENGLISH!],
  ['receipt', () => 'expenses/new', ENGLISH!],
  ['expense-hebrew', () => at['expense']!, HEBREW!],
  ['vendors-dark', () => 'vendors', DARK!],
  ['document', () => at['document']!, ENGLISH!],
  ['new-document', () => 'documents/new', ENGLISH!],
  ['endpoint', () => at['endpoint']!, ENGLISH!],
  ['delivery', () => at['delivery']!, ENGLISH!],
  ['phone-hebrew', () => 'expenses', PHONE!],
];

journeys('the console on paper', { settings, given }, () => {
  afterAll(() => receiver.close());

  it.each(['expenses', 'expense', 'document', 'delivery', 'vendor'])('%s on paper', async (name) => {
    const page = await console.signIn(at[name] ?? name, DARK);
    await console.settled();
    await page.emulateMedia({ media: 'print' });
    for (const part of ['nav.side', 'header.top', '.page-head .actions'])
      expect({ part, isShown: await page.locator(part).first().isVisible() }).toEqual({
        part,
        isShown: false,
      });
    expect(await page.locator('.only-print').textContent()).toBe(page.url());
    expect(await page.locator('.only-print').isVisible()).toBe(true);
    const paper = await page.pdf({ format: 'A4' });
    expect(paper.subarray(0, 5).toString()).toBe('%PDF-');
    const shots = process.env['CONSOLE_SHOTS'];
    if (shots !== undefined) await fs.writeFile(path.join(shots, `${name}.pdf`), paper);
  });

  it('every screen of the navigation fits on paper', async () => {
    const page = await console.signIn();
    const links = await page.evaluate<string[]>(
      "[...document.querySelectorAll('nav.side a')].map((link) => link.getAttribute('href'))",
    );
    expect(links.length).toBeGreaterThan(10);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize(PAPER);
    for (const link of links) {
      await console.goto(link.replace('/console/', ''));
      await console.settled();
      const isShown = await page.locator('nav.side').isVisible();
      expect({ link, isShown, overflow: await console.overflow() }).toEqual({
        ...{ link, isShown: false, overflow: 0 },
      });
    }
    expect(console.faults).toEqual([]);
  });

  if (!ARE_KEPT) return;
  it.each(PICTURES)('%s', async (name, place, options) => {
    const page = await console.signIn(place(), options);
    if (name === 'receipt') {
      await page.locator('input[type=file]').first().setInputFiles(path.join(SAMPLES, 'receipt.txt'));
      await page.locator('.certainty').first().waitFor();
    }
    await console.settled();
    const devtools = await page.context().newCDPSession(page);
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
    const picture = Buffer.from(data, 'base64');
    expect(picture.length).toBeLessThan(LARGEST_BYTES);
    await fs.writeFile(path.join(FOLDER, `console-${name}.webp`), picture);
  });
});
