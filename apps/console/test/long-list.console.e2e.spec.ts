import { type TestService, until } from '@counterfoil/test-harness';
import type { Page } from 'playwright-core';
import { type ConsoleBrowser, LOOKS, SOUND } from './console-browser';
import { type Console, journeys } from './journeys';

const VENDORS = 1_000;

let service: TestService;
let console: ConsoleBrowser;

async function given(ready: Console): Promise<void> {
  ({ service, browser: console } = ready);
  await service.database.query(
    `insert into entities (visible_id, company_id, is_vendor, name, tax_id, type, created_at, updated_at)
     select gen_random_uuid(), (select min(id) from companies), true, 'Vendor ' || lpad(n::text, 4, '0'),
            (510000000 + n)::text, 'COMPANY', now(), now()
       from generate_series(1, ${VENDORS}) n`,
  );
  await service.database.vacuum('entities');
}

const BY_NAME = 'vendors?sortBy=name&sortOrder=asc';
const pager = (page: Page) => page.locator('.pager span').first().textContent();
const shows = (page: Page, from: string) =>
  until(`rows from ${from}`, async () => (await pager(page))?.startsWith(`${from}–`) === true, 60_000);
const link = (page: Page, number: string) => page.getByRole('link', { name: `Vendor ${number}` });

/** Longer than the pause after which a filter or a position comes into the address. */
const PAUSE_MS = 600;
/** Programs for the page. */
const SCROLL = `document.querySelector('.long').scrollTop = ${40 * 200};`;
const SCROLL_BACK = `document.querySelector('.long').scrollTop = 0;`;
const CLICK = (selector: string) => `document.querySelector('${selector}').click()`;
const IN_TWO_FRAMES = (program: string) =>
  `requestAnimationFrame(() => requestAnimationFrame(() => ${program}));`;
const TYPE = (selector: string, text: string) => `{
  const field = document.querySelector('${selector}');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '${text}');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}`;

journeys('a list of any length', { given }, () => {
  it('is scrolled through, keeps its position in the address, and draws few rows', async () => {
    const page = await console.signIn(BY_NAME);
    await link(page, '0001').waitFor();
    await page.locator('.long').hover();
    await page.mouse.wheel(0, 40 * 200);
    await link(page, '0205').waitFor();
    await shows(page, '201');
    expect(await page.locator('.long tbody tr').count()).toBeLessThan(80);
    expect(await page.locator('.long table').getAttribute('aria-rowcount')).toBe(String(VENDORS + 1));
    const row = page.getByRole('row').filter({ has: link(page, '0205') });
    expect(await row.getAttribute('aria-rowindex')).toBe('206');
    await until('the address has it', () => Promise.resolve(page.url().includes('offset=200')));
    await page.reload();
    await link(page, '0205').waitFor();
    await shows(page, '201');
    await link(page, '0205').click();
    await console.heading('Vendor 0205');
    await page.goBack();
    await link(page, '0205').waitFor();
    await shows(page, '201');
    expect(console.faults).toEqual([]);
  });

  it('leaves its position out of the address of a page that is loaded slowly after it, and of its own', async () => {
    // Both addresses have no filters and no order, so that only their pages differ.
    const page = await console.signIn('vendors');
    await shows(page, '1');
    const release = await console.hold(/\.js$/);
    // At once, so that no pause is in between.
    await page.evaluate(`${SCROLL} ${CLICK('nav a[href$="/expenses"]')}`);
    await page.waitForTimeout(PAUSE_MS);
    release();
    await console.heading('Expenses');
    expect(page.url()).not.toContain('offset');
    await page.goBack();
    await shows(page, '1');
    expect(page.url()).not.toContain('offset');
    expect(console.faults).toEqual([]);
  });

  it('keeps no filter that is typed while the next page is loaded, and takes it again afterwards', async () => {
    const page = await console.signIn(BY_NAME);
    await link(page, '0001').waitFor();
    const release = await console.hold(/\.js$/);
    await page.evaluate(`${TYPE('search input', 'Vendor 09')} ${CLICK('nav a[href$="/expenses"]')}`);
    await page.waitForTimeout(PAUSE_MS);
    expect(page.url()).not.toContain('search');
    await page.goBack();
    release();
    const search = page.getByLabel('Search name, tax id or e-mail');
    expect(await search.inputValue()).toBe('');
    await search.fill('Vendor 09');
    await page.getByText('of 100').waitFor();
    expect(console.faults).toEqual([]);
  });

  it('is walked through with the keyboard alone', async () => {
    const page = await console.signIn(BY_NAME);
    await link(page, '0001').waitFor();
    await page.getByRole('region', { name: 'Vendors' }).focus();
    await page.keyboard.press('End');
    await link(page, '1000').waitFor();
    await page.keyboard.press('Home');
    await link(page, '0001').waitFor();
    await page.keyboard.press('PageDown');
    await until('a page further', async () => !(await pager(page))?.startsWith('1–'), 60_000);
    await page.keyboard.press('Home');
    await shows(page, '1');
    await link(page, '0001').focus();
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab');
      await page.waitForTimeout(20);
    }
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Vendor 0061');
    expect(console.faults).toEqual([]);
  });

  it('begins anew with another order or filter', async () => {
    const page = await console.signIn(`${BY_NAME}&offset=500`);
    await link(page, '0501').waitFor();
    await page.getByRole('button', { name: 'Sort by Name' }).click();
    await link(page, '1000').waitFor();
    await shows(page, '1');
    await page.getByLabel('Search name, tax id or e-mail').fill('Vendor 09');
    await page.getByText('of 100').waitFor();
    await link(page, '0999').waitFor();
    expect(console.faults).toEqual([]);
  });

  it('begins at its first row with an order that is chosen right after scrolling and answered late', async () => {
    const page = await console.signIn('vendors');
    await shows(page, '1');
    const release = await console.hold(/\/vendors\?.*sortBy=/);
    await page.evaluate(`${SCROLL} ${IN_TWO_FRAMES(CLICK('.long th .sort'))}`);
    await page.waitForTimeout(PAUSE_MS);
    expect(page.url()).toContain('sortBy=name');
    release();
    await link(page, '0001').waitFor();
    await shows(page, '1');
    expect(page.url()).not.toContain('offset');
    expect(console.faults).toEqual([]);
  });

  it('goes where it is scrolled in the moment at which the address gets its position', async () => {
    const page = await console.signIn(BY_NAME);
    await link(page, '0001').waitFor();
    await page.evaluate(`{
      const { replaceState } = history;
      history.replaceState = (...given) => {
        history.replaceState = replaceState;
        replaceState.apply(history, given);
        document.querySelector('.long').scrollTop = ${40 * 600};
      };
      ${SCROLL}
    }`);
    await link(page, '0605').waitFor();
    await page.waitForTimeout(PAUSE_MS);
    await shows(page, '601');
    expect(console.faults).toEqual([]);
  });

  it.each(['Vendors', 'vendors//'])(
    'is ordered and narrowed at an address typed in another way: %s',
    async (at) => {
      const page = await console.signIn(at);
      await shows(page, '1');
      await page.getByRole('button', { name: 'Sort by Name' }).click();
      await link(page, '0001').waitFor();
      await page.getByLabel('Search name, tax id or e-mail').fill('Vendor 09');
      await page.getByText('of 100').waitFor();
      expect(console.faults).toEqual([]);
    },
  );

  it('has the focus that was in a row which is scrolled away, and takes it from nothing else', async () => {
    const page = await console.signIn(BY_NAME);
    const focused = () =>
      page.evaluate<string>(
        "document.activeElement.getAttribute('aria-label') ?? document.activeElement.tagName",
      );
    const afterScrolling = async (leave: () => Promise<void>) => {
      await link(page, '0001').focus();
      await leave();
      await page.evaluate(SCROLL);
      await link(page, '0205').waitFor();
      await page.waitForTimeout(PAUSE_MS);
      const name = await focused();
      await page.evaluate(SCROLL_BACK);
      return name;
    };
    expect(await afterScrolling(async () => {})).toBe('Vendors');
    expect(await afterScrolling(() => page.getByLabel('Search name, tax id or e-mail').focus())).toBe(
      'INPUT',
    );
    expect(await afterScrolling(() => page.locator('.side .brand').click())).toBe('BODY');
    expect(console.faults).toEqual([]);
  });

  it('is shown from its beginning if it ends before the position in the address', async () => {
    const page = await console.signIn(`${BY_NAME}&search=Vendor+099&offset=500`);
    await link(page, '0990').waitFor();
    expect(await pager(page)).toBe('1–10 of 10');
    await until('the address', () => Promise.resolve(!page.url().includes('offset')));
    await console.goto(`${BY_NAME}&search=Vendor+09&offset=500`);
    await link(page, '0999').waitFor();
    expect(console.faults).toEqual([]);
  });

  it('of open documents is offered to a receipt from the oldest one', async () => {
    const items = [{ description: 'Support', quantity: 1, unitPrice: 100 }];
    const client = { name: 'Debtor', taxId: '514000009', type: 'COMPANY' };
    const { body: party } = await service.request<{ clientId: number }>('POST', '/clients/create', client);
    const invoice = () =>
      service.request<{ id: number; visibleId: string }>('POST', '/documents/create/tax-invoice', {
        ...{ entityId: party.clientId, items },
      });
    // One more than the largest page has.
    const invoices = await Promise.all(Array.from({ length: 201 }, invoice));
    const { visibleId } = invoices.map(({ body }) => body).sort((a, b) => b.id - a.id)[0]!;
    const page = await console.signIn(`documents/new?act=pay&from=${visibleId}`);
    await page.getByRole('textbox', { name: 'Amount for Tax invoice 201' }).waitFor();
    const oldest = page.getByRole('textbox', { name: /^Amount for/ }).first();
    expect(await oldest.getAttribute('aria-label')).toBe('Amount for Tax invoice 1');
    expect(console.faults).toEqual([]);
  });

  it.each(LOOKS)('is accessible and fits: %s', async (look, options) => {
    await console.signIn(`${BY_NAME}&offset=300`, options);
    await link(console.page, '0302').waitFor();
    expect(await console.flaws()).toEqual(SOUND);
    await console.shoot(`long-list-${look}`);
    expect(console.faults).toEqual([]);
  });
});
