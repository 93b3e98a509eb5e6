import { DEMO_KEY, type TestService, until } from '@counterfoil/test-harness';
import type { Page } from 'playwright-core';
import { type ConsoleBrowser } from '../console-browser';
import { formRecords, FORMS, type NamedRecord, TYPE_ALL } from './console-forms';
import { HOSTILE_STRINGS, typedTexts, WIDE_STRINGS } from '../hostile-strings';
import { type Console, journeys } from '../journeys';

/** So high that a list shows some hundred rows at once. */
const HIGH_PX = 4_200;
const WIDTHS_PX = [1280, 390];
const SETTLED_MS = 60_000;
const CONCURRENT = 6;
/** Issuing is the dearest call: one text in so many has a document of its own, and one document has a hundred of them. */
const DOCUMENT_EVERY = 5;

let service: TestService;
let console: ConsoleBrowser;
/** How many texts the API took, by place, and the addresses of some records. */
const taken: Record<string, number> = {};
const records: string[] = [];
/** The addresses of records that forms name. */
const named: Record<NamedRecord, string> = {
  pricelist: '',
  receipt: '',
  endpoint: '',
  held: '',
  captured: '',
};
let clientId: number;

/** Sends a body for each string, and counts those that the API takes. It may refuse a text, never fail. */
async function put<Answer>(
  place: string,
  [method, path]: readonly [method: string, path: string],
  bodyOf: (text: string, index: number) => object,
  every = 1,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const left = [...HOSTILE_STRINGS.entries()].filter(([index]) => index % every === 0);
  const work = async (): Promise<void> => {
    for (let next = left.pop(); next; next = left.pop()) {
      const [index, text] = next;
      const { status, body } = await service.request<Answer>(method, path, bodyOf(text, index));
      if (status >= 500) throw new Error(`${place}: ${status} for ${JSON.stringify(text)}`);
      if (status < 300) answers.push(body);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, work));
  taken[place] = answers.length * every;
  return answers;
}

async function given(ready: Console): Promise<void> {
  ({ service, browser: console } = ready);
  const party = (name: string, index: number) => ({
    ...{ name, taxId: String(510_000_000 + index), type: 'COMPANY', vendorInternalCode: index + 1 },
  });
  const vendors = await put<{ visibleId: string; vendorId: number }>(
    ...(['vendors', ['POST', '/vendors/create'], party] as const),
  );
  const clients = await put<{ clientId: number; visibleId: string }>(
    ...(['clients', ['POST', '/clients/create'], party] as const),
  );
  const products = await put<{ id: number; visibleId: string }>(
    'products',
    ['POST', '/products/create'],
    (name, index) => ({ ...{ name, sku: `${name.slice(0, 90)}-${index}`, unit: name.slice(0, 50) } }),
  );
  await put('warehouses', ['POST', '/warehouses/create'], (name) => ({ name }));
  await put('keys', ['POST', '/api-keys'], (text) => ({ role: 'viewer', userName: text, name: text }));
  const endpoints = await put<{ id: string }>('endpoints', ['POST', '/webhooks'], (text, index) => ({
    ...{ url: `https://example.com/${index}/${text}`, events: ['*'] },
  }));
  named.pricelist = `vendors/${vendors[0]!.visibleId}/pricelist`;
  named.endpoint = `webhooks/${endpoints[0]!.id}`;
  const fileId = await service.upload('a receipt\n');
  const [vendor] = vendors;
  clientId = clients[0]!.clientId;
  Object.assign(named, await formRecords(service, clientId));
  const expenses = await put<{ expenseId: number }>('expenses', ['POST', '/expenses/create'], (text) => ({
    ...{ vendorId: vendor!.vendorId, fileId, date: '2026-11-20', total: 118, tax: 18, deductableTax: 18 },
    ...{ title: text, notes: text, documentNumber: text },
  }));
  const documents = await put<{ visibleId: string }>(
    'documents',
    ['POST', '/documents/create/quote'],
    (text, index) => ({
      ...{ entityId: clients[index % clients.length]!.clientId, notes: text, externalId: text.slice(0, 64) },
      items: [{ description: text, quantity: 1, unitPrice: 1 }],
    }),
    DOCUMENT_EVERY,
  );
  const { body: product } = await service.request<{ data: { id: number }[] }>('GET', '/products?limit=1');
  const productId = product.data[0]!.id;
  const { body: warehouse } = await service.request<{ data: { id: number }[] }>('GET', '/warehouses?limit=1');
  const stock = await service.request<{ inventoryId: number }>('POST', '/inventory/create', {
    ...{ productId, warehouseId: warehouse.data[0]!.id },
  });
  await put('movements', ['POST', '/inventory/movements/create'], (text) => ({
    ...{ inventoryId: stock.body.inventoryId, movementType: 'ADD', quantity: 1 },
    ...{ reason: text, notes: text, referenceId: 1, referenceType: text.slice(0, 50) },
  }));
  records.push(`stock/${productId}/${warehouse.data[0]!.id}`);
  for (let index = 0; index < HOSTILE_STRINGS.length; index += 20) {
    for (const [at, id] of [
      ['vendors', vendors[index]?.visibleId],
      ['expenses', expenses[index]?.expenseId],
      ['documents', documents[index / 20]?.visibleId],
    ] as const)
      if (id !== undefined) records.push(`${at}/${id}`);
  }
  expect(products.length).toBeGreaterThan(150);
}

/** The type of the variable that a text defines when it runs. */
const harmed = (page: Page) => page.evaluate<string>('typeof harmed');

/** The browser reports calls that the API refuses because of a text that was typed, or repeats because it is busy. */
const faults = () => console.faults.filter((fault) => !/status of (4\d\d|503)/.test(fault));

/** Looks at the page in both widths. */
async function expectUnharmed(at: string): Promise<void> {
  for (const width of WIDTHS_PX) {
    await console.page.setViewportSize({ width, height: HIGH_PX });
    const [overflow, canary] = [await console.overflow(), await harmed(console.page)];
    expect({ at, width, overflow, canary, faults: faults() }).toEqual({
      ...{ at, width, overflow: 0, canary: 'undefined', faults: [] },
    });
  }
}

const shownText = () => console.page.evaluate<string>('document.querySelector("main").textContent');

/** Goes to a page as a link does, without loading the console again. */
async function follow(at: string): Promise<void> {
  await console.page.evaluate(`{
    document.querySelector('main h1').dataset.left = '';
    history.pushState({}, '', ${JSON.stringify(`/console/${at}`)});
  }`);
  await console.gone('main h1[data-left]');
  await console.settled();
}

/** Presses the button for the rows after those that are shown. @returns false at the end of the list */
async function showMore(): Promise<boolean> {
  const { page } = console;
  const next = page.locator('.pager').getByRole('button', { name: 'Next' });
  if ((await next.count()) === 0 || (await next.isDisabled())) return false;
  const pager = page.locator('.pager span').first();
  const before = await pager.textContent();
  await next.click();
  await until('other rows', async () => (await pager.textContent()) !== before, SETTLED_MS);
  await console.settled();
  return true;
}

/** Every row of a list of the API. */
async function rowsOf(call: string): Promise<never[]> {
  const rows: never[] = [];
  for (;;) {
    const { body } = await service.request<{ data: never[] }>(
      'GET',
      `${call}?limit=100&offset=${rows.length}`,
    );
    if (body.data.length === 0) return rows;
    rows.push(...body.data);
  }
}

const LISTS: readonly (readonly [at: string, call: string, textOf: (row: never) => string])[] = [
  ['vendors', '/vendors', ({ name }: { name: string }) => name],
  ['clients', '/clients', ({ name }: { name: string }) => name],
  ['expenses', '/expenses', ({ expense }: { expense: { title: string } }) => expense.title],
  ['documents', '/documents', ({ externalId }: { externalId: string | null }) => externalId ?? ''],
  ['keys', '/api-keys', ({ name }: { name: string | null }) => name ?? ''],
  ['webhooks', '/webhooks', ({ url }: { url: string }) => url],
];

/** Types texts into every field of a form, and looks at it in the width of the window. */
async function typeInto(form: string, texts: readonly string[]): Promise<void> {
  const { typed, widest } = await console.page.evaluate<{ typed: number; widest: number }>(TYPE_ALL(texts));
  expect({ form, hasFields: typed >= texts.length }).toEqual({ form, hasFields: true });
  const canary = await harmed(console.page);
  expect({ form, widest, canary, faults: faults() }).toEqual({
    ...{ form, widest: 0, canary: 'undefined', faults: [] },
  });
}

function theyAreShown(): void {
  it('most are taken by the API, and those that are not are refused with an answer', () => {
    expect(HOSTILE_STRINGS.length).toBeGreaterThanOrEqual(200);
    process.stdout.write(`${HOSTILE_STRINGS.length} texts; taken: ${JSON.stringify(taken)}\n`);
    const { endpoints, ...others } = taken;
    expect(endpoints).toBeGreaterThan(20);
    for (const [place, count] of Object.entries(others))
      expect({ place, isMost: count > HOSTILE_STRINGS.length / 2 }).toEqual({ place, isMost: true });
  });

  it('the lists show them as texts', async () => {
    await console.signIn('', { viewport: { width: WIDTHS_PX[0]!, height: HIGH_PX } });
    for (const [at, call, textOf] of LISTS) {
      await follow(at);
      let shown = '';
      do {
        shown += `${await shownText()}\n`;
        await expectUnharmed(at);
      } while (await showMore());
      await console.shoot(`hostile-${at}`);
      const texts = (await rowsOf(call)).map(textOf);
      expect(texts.length).toBeGreaterThan(20);
      expect({ at, missing: texts.filter((text) => !shown.includes(text)) }).toEqual({ at, missing: [] });
    }
  });

  it('the records show them as texts', async () => {
    await console.signIn('', { viewport: { width: WIDTHS_PX[0]!, height: HIGH_PX } });
    for (const at of records) {
      await follow(at);
      await expectUnharmed(at);
    }
    await console.shoot('hostile-record');
  });

  it('the name of the company is one of them', async () => {
    const names = HOSTILE_STRINGS.filter((_, index) => index % 25 === 0);
    for (const name of names) {
      const { status } = await service.request('PUT', '/company', { name, documentFooter: name });
      if (status >= 300) continue;
      await console.signIn('company');
      await console.settled();
      await expectUnharmed(`company ${name}`);
    }
    await service.request('PUT', '/company', { name: 'Demo company' });
  });
}

function addressOf(place: string): string {
  if (place.startsWith(':')) return named[place.slice(1) as NamedRecord];
  return place.endsWith('/') ? records.find((record) => record.startsWith(place))! : place;
}

function theyAreTyped(): void {
  it.each(FORMS)('every text field takes them: %s', async (_area, forms) => {
    const [wide, narrow] = WIDTHS_PX.map((width) => ({ width, height: 844 }));
    const page = await console.signIn();
    // The forms of expenses ask before what was typed is left; nothing else may open a dialog of the browser.
    page.on('dialog', (dialog) => {
      if (dialog.type() !== 'beforeunload') console.faults.push(dialog.message());
      void dialog.accept();
    });
    for (const [place, button] of forms) {
      const at = addressOf(place);
      await page.setViewportSize(narrow!);
      await console.goto(at);
      await console.settled();
      if (button !== undefined) {
        await page.getByRole('button', { name: button }).first().click();
        await page.getByRole('dialog').waitFor();
      }
      const form = `${at} ${button}`;
      await typeInto(`${form}, narrow`, typedTexts());
      await page.setViewportSize(wide!);
      await typeInto(`${form}, wide`, WIDE_STRINGS);
      await console.shoot(`hostile-form-${form.replace(/\W/g, '-').slice(0, 30)}`);
    }
  });

  it('a document with hundreds of them is shown, and its key is kept', async () => {
    const items = HOSTILE_STRINGS.filter((text) => text.trim() !== '' && text.length <= 500)
      .slice(0, 100)
      .map((description) => ({ description, quantity: 1, unitPrice: 1 }));
    const { body, status } = await service.request<{ visibleId: string }>(
      'POST',
      '/documents/create/quote',
      { entityId: clientId, items },
      DEMO_KEY,
    );
    expect(status).toBe(201);
    const at = `documents/${body.visibleId}`;
    await console.signIn(at);
    await console.settled();
    const shown = await shownText();
    expect(items.map(({ description }) => description).filter((text) => !shown.includes(text))).toEqual([]);
    await expectUnharmed(at);
  });
}

journeys('hostile texts in the console', { given }, () => {
  theyAreShown();
  theyAreTyped();
});
