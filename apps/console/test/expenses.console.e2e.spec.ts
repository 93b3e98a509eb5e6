import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type TestService, until } from '@counterfoil/test-harness';
import type { Page } from 'playwright-core';
import { type ConsoleBrowser, LOOKS, SOUND } from './console-browser';
import { type Console, journeys } from './journeys';

const SAMPLES = path.resolve(__dirname, '../../../libs/receipt-reader/samples');
const PHOTO = path.join(SAMPLES, 'turned-photo.jpg');
const HOSTILE = '<img src=x onerror=alert(1)> \u202Egnp.exe\u200B ' + 'W'.repeat(60);

let service: TestService;
let console: ConsoleBrowser;
let page: Page;
let vendorId: number;
/** For files that are dropped. */
let folder: string;
/** An expense whose texts are hostile. */
let hostileId: number;

/** A receipt that nobody has uploaded yet. */
const receipt = (number: string): string =>
  ['CORNER STATIONERY LTD', 'VAT No: GB 999 9999 73', '', `Invoice No: ${number}`, 'Date: 12/03/2026', '']
    .concat(['Paper A4 100.00', 'Subtotal 100.00', 'VAT 20% 20.00', 'Total GBP 120.00', ''])
    .join('\n');

async function record(fields: Readonly<Record<string, unknown>>): Promise<number> {
  const fileId = await service.upload(receipt(`R-${Math.random()}`));
  const { body } = await service.request<{ expenseId: number }>('POST', '/expenses/create', {
    ...{ vendorId, fileId, date: '2026-11-20', total: 118, tax: 18, deductableTax: 18 },
    ...fields,
  });
  return body.expenseId;
}

async function given(ready: Console): Promise<void> {
  ({ service, browser: console } = ready);
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'console-expenses-'));
  const vendor = { name: 'Paper House Ltd', taxId: '515555555', type: 'COMPANY' };
  const { body } = await service.request<{ vendorId: number }>('POST', '/vendors/create', vendor);
  vendorId = body.vendorId;
  hostileId = await record({ title: HOSTILE, notes: HOSTILE.repeat(15), documentNumber: 'R-20417' });
  await record({ title: 'Hosting', currency: 'USD', total: 20, tax: 0, deductableTax: 0 });
  await service.request('POST', '/purchase/create', {
    ...{ vendorId, documentNumber: 'INV-77', date: '2026-11-21', currency: 'ILS', total: 590, tax: 90 },
    title: 'Toner on account',
  });
}

/** Drops a file of the disk from outside the browser, as a person does. */
async function drop(file: string): Promise<void> {
  const zone = (await page.locator('.drop-zone').boundingBox())!;
  const place = { x: zone.x + zone.width / 2, y: zone.y + 10 };
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  const devtools = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, ...place, data });
}

const rows = () => page.locator('tbody tr');
const rowsAre = (count: number) =>
  until(`${count} rows`, async () => (await rows().count()) === count, 30_000);

journeys('expenses in the console', { given }, () => {
  afterAll(() => fs.rm(folder, { recursive: true }));

  it('a receipt is dropped, read, corrected, saved with a new vendor, and found in the list', async () => {
    page = await console.signIn('expenses');
    await page.getByRole('link', { name: 'New expense' }).first().click();
    await page.locator('.drop-zone').waitFor();
    const file = path.join(folder, 'corner.txt');
    await fs.writeFile(file, receipt('INV-9001'));
    await drop(file);
    await page.getByText('Check what was read').waitFor();
    await page.getByText('Invoice No: INV-9001').waitFor();
    expect(await page.getByLabel('Total, with tax').inputValue()).toBe('120');
    expect(await page.getByLabel('Date').inputValue()).toBe('2026-03-12');
    expect(await page.locator('.certainty').first().textContent()).toMatch(/\d+% certain/);
    await page.getByText('No single vendor has this tax id or name').waitFor();

    // The vendor that is missing gets the focus, without a list that covers what to do about it.
    await page.getByRole('button', { name: 'Save expense' }).click();
    await page.getByText('Fill this in.').first().waitFor();
    await until('the vendor to be focused', () =>
      page.evaluate<boolean>(`document.activeElement.getAttribute('role') === 'combobox'`),
    );
    expect(await page.getByRole('listbox').count()).toBe(0);
    await page.getByRole('combobox').click();
    await page.getByRole('listbox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New vendor' }).click();
    expect(await page.getByLabel('Name').inputValue()).toMatch(/corner stationery/i);
    await console.shoot('expense-vendor-en');
    expect(await console.problems()).toEqual([]);
    await page.getByRole('button', { name: 'Create vendor' }).click();
    await page.getByText(/Vendor .* was created/).waitFor();

    await page.getByLabel('Tax in the total').fill('20');
    await page.getByLabel('Deductible tax').fill('21');
    await page.getByLabel('Purpose').fill('Copier paper');
    await page.getByRole('button', { name: 'Save expense' }).click();
    await page.getByText('The deductible part cannot be more than the tax.').waitFor();
    expect(await page.evaluate<string>('document.activeElement.value')).toBe('21');
    await page.getByLabel('Deductible tax').fill('12');
    await page.getByRole('button', { name: 'Save expense' }).click();
    await console.heading(/^Expense \d+$/);

    await page.getByRole('link', { name: 'To the expenses' }).click();
    await page.getByLabel('Search purpose, notes or document number').fill('inv-9001');
    await rowsAre(1);
    expect(await rows().first().textContent()).toMatch(/CORNER STATIONERY.*Copier paper.*£120.00.*INV-9001/i);
    expect(page.url()).toContain('search=inv-9001');
    await page.reload();
    await rowsAre(1);
    expect(console.faults).toEqual([]);
  });

  it('a photo is shown with the places of its values, and the suggested vendor is chosen', async () => {
    const vendor = { name: 'קפה שדרות', taxId: '517147823', type: 'COMPANY' };
    await service.request('POST', '/vendors/create', vendor);
    page = await console.signIn('expenses/new');
    await page.locator('input[type=file]').first().setInputFiles(PHOTO);
    await page.getByText('Check what was read').waitFor();
    await page.getByText('This vendor has the tax id or the name of the receipt.').waitFor();
    expect(await page.getByRole('combobox').inputValue()).toBe('קפה שדרות');
    const total = page.getByLabel('Total, with tax');
    expect(await total.inputValue()).toBe('404.10');
    await total.focus();
    await page.locator('rect.active[data-field=total]').waitFor({ state: 'attached' });
    const [box, sheet] = await Promise.all(
      ['rect.active', '.sheet img'].map((selector) => page.locator(selector).boundingBox()),
    );
    expect(box!.x).toBeGreaterThanOrEqual(sheet!.x);
    expect(box!.x + box!.width).toBeLessThanOrEqual(sheet!.x + sheet!.width);
    expect(await page.evaluate<number>("document.querySelector('.sheet img').naturalWidth")).toBeGreaterThan(
      500,
    );
    await console.shoot('expense-photo-en');
    expect(await console.problems()).toEqual([]);
    expect(console.faults).toEqual([]);
  });

  it('a tax id with a wrong check digit is named as such, and sent only if it is kept', async () => {
    page = await console.signIn('expenses/new');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        ...{ name: 'misprint.txt', mimeType: 'text/plain' },
        buffer: Buffer.from(
          'מכולת השכונה בע״מ\nח.פ. 517147824\nחשבונית מס מספר: 88120\nתאריך: 12/03/2026\nסה״כ לתשלום: 118.00\nמע״מ 18%: 18.00\n',
        ),
      });
    await page.getByText('Check what was read').waitFor();
    await page.getByRole('definition').filter({ hasText: 'Its check digit is wrong' }).waitFor();
    await page.getByRole('button', { name: 'New vendor' }).click();
    const form = page.getByRole('form', { name: 'New vendor' });
    const taxId = form.getByRole('textbox', { name: 'Tax id' });
    expect(await taxId.inputValue()).toBe('');
    await form.getByText('30%, check it').waitFor();
    await form.getByText('The receipt has the tax id 517147824. Its check digit is wrong').waitFor();
    await form.getByRole('button', { name: 'Create vendor' }).click();
    await form.getByText('Fill this in.').waitFor();
    await console.shoot('expense-doubted-tax-id');
    expect(await console.problems()).toEqual([]);
    await form.getByRole('button', { name: 'Use 517147824 all the same' }).click();
    expect(await taxId.inputValue()).toBe('517147824');
    expect(await page.evaluate<string>('document.activeElement.value')).toBe('517147824');
    await form.getByRole('button', { name: 'Create vendor' }).click();
    await page.getByText(/Vendor .* was created/).waitFor();
    const { body } = await service.request('GET', '/vendors?search=517147824');
    expect(body).toMatchObject({ data: [{ taxId: '517147824' }] });
    expect(console.faults).toEqual([]);
  });

  it('a PDF has the boxes of its pages, and can be left and found again', async () => {
    page = await console.signIn('expenses/new');
    await page.locator('input[type=file]').first().setInputFiles(path.join(SAMPLES, 'text.pdf'));
    await page.waitForURL(/fileId=\d+/);
    await page.getByRole('link', { name: 'Company' }).click();
    await console.heading('Company');
    await page.reload();
    await page.getByRole('link', { name: 'Today' }).click();
    const tile = page.locator('.tile.urgent', { hasText: 'Receipts that are not an expense yet' });
    expect(await tile.locator('.count').textContent()).toBe('1');
    await tile.getByRole('link', { name: /^Show/ }).click();
    await page.getByRole('link', { name: 'text.pdf' }).click();
    await page.getByText('Check what was read').waitFor();
    await page.locator('.sketch [data-field=total] text', { hasText: '74.53' }).waitFor();
    await page.getByRole('link', { name: 'Download' }).waitFor();
    await console.shoot('expense-pdf-en');
    expect(await console.problems()).toEqual([]);
    expect(console.faults).toEqual([]);
  });

  it('a duplicate is named before and after it is saved', async () => {
    page = await console.signIn('expenses/new?by=hand');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        ...{ name: 'again.txt', mimeType: 'text/plain', buffer: Buffer.from('the same paper') },
      });
    await page.getByRole('combobox').fill('paper house');
    await page.getByRole('option', { name: /Paper House/ }).click();
    await page.getByLabel('Date').fill('2026-11-20');
    await page.getByLabel('Document number').fill('r-20417');
    await page.getByText('This vendor already has an expense with this number').waitFor();
    await page.getByLabel('Total, with tax').fill('118');
    await page.getByLabel('Tax in the total').fill('18');
    expect(await page.getByLabel('Deductible tax').inputValue()).toBe('18');
    await page.getByRole('button', { name: 'Save expense' }).click();
    await page.getByText('This looks like the same receipt').waitFor();
    await page.getByRole('link', { name: new RegExp(`^Expense ${hostileId},`) }).waitFor();
    await console.shoot('expense-duplicate-en');
    expect(await console.problems()).toEqual([]);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await console.heading('Expenses');
    expect(console.faults).toEqual([]);
  });

  it('an expense is changed: only what differs is sent, and an empty purpose is cleared', async () => {
    const id = await record({ title: 'Wrong', documentNumber: 'E-1' });
    page = await console.signIn(`expenses/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Purpose').fill('');
    await page.getByLabel('Total, with tax').fill('236');
    await page.getByText('Will be changed: Total, with tax').waitFor();
    await page.getByText('Will be cleared: Purpose').waitFor();
    await console.shoot('expense-edit-en');
    expect(await console.problems()).toEqual([]);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText(`Expense ${id} was changed.`).waitFor();
    const { body } = await service.request<{ expense: object }>('GET', `/expenses/id/${id}`);
    expect(body.expense).toMatchObject({ title: null, total: 236, tax: 18, documentNumber: 'E-1' });
    expect(console.faults).toEqual([]);
  });

  it('a page that is reached while an expense is saved or deleted stays as it is', async () => {
    const id = await record({ title: 'Left behind' });
    page = await console.signIn('expenses?search=left+behind');
    const meanwhile = async (call: RegExp, act: () => Promise<void>, done: string) => {
      await page.getByRole('link', { name: /^Left behind/ }).click();
      await console.heading(`Expense ${id}`);
      const release = await console.hold(call);
      await Promise.all([page.waitForRequest(call), act()]);
      await page.goBack();
      await console.heading('Expenses');
      release();
      await page.getByText(done).waitFor();
      await until('the list to be read again', async () => (await rows().count()) !== 1 || (await isSaved()));
      await page.waitForTimeout(300);
      expect(page.url()).toContain('search=left');
    };
    const isSaved = async () => (await page.getByRole('link', { name: 'Left behind twice' }).count()) === 1;
    const save = async () => {
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Purpose').fill('Left behind twice');
      await page.getByRole('button', { name: 'Save changes' }).click();
    };
    const remove = async () => {
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    };
    await meanwhile(/\/expenses\/edit\//, save, `Expense ${id} was changed.`);
    await meanwhile(/\/expenses\/delete\//, remove, `Expense ${id} was deleted.`);
    expect(console.faults).toEqual([]);
  });

  it('an edit leaves what somebody else has changed meanwhile', async () => {
    const id = await record({ title: 'Ours', notes: 'Before' });
    page = await console.signIn(`expenses/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Purpose').fill('Theirs too');
    await service.request('PUT', `/expenses/edit/${id}`, { notes: 'By somebody else' });
    const isRead = page.waitForResponse((answer) => answer.url().includes(`/expenses/id/${id}`));
    const asking = setInterval(() => void page.evaluate("dispatchEvent(new Event('visibilitychange'))"), 500);
    await isRead.finally(() => clearInterval(asking));
    await page.getByText('Will be changed: Purpose').waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText(`Expense ${id} was changed.`).waitFor();
    const { body } = await service.request<{ expense: object }>('GET', `/expenses/id/${id}`);
    expect(body.expense).toMatchObject({ title: 'Theirs too', notes: 'By somebody else' });
    expect(console.faults).toEqual([]);
  });

  it('corrections are not lost by a link, a reload or the history without a question', async () => {
    const id = await record({ title: 'Before' });
    page = await console.signIn('expenses');
    await page.getByRole('link', { name: 'Before' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('link', { name: 'Company' }).click();
    await console.heading('Company');
    await page.goBack();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Purpose').fill('After');
    await page.getByRole('link', { name: 'Company' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('Leave without saving?').waitFor();
    expect(await console.problems()).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Purpose').inputValue()).toBe('After');
    const asked = page.waitForEvent('dialog');
    // `page.reload` would wait a minute for what does not happen.
    const reloaded = page.evaluate('location.reload()');
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await reloaded;
    expect(await page.getByLabel('Purpose').inputValue()).toBe('After');
    await page.evaluate('history.back()');
    await question.getByRole('button', { name: 'Leave' }).click();
    await console.gone('.expense-form');
    await console.goto(`expenses/${id}`);
    await page.getByRole('definition').filter({ hasText: 'Before' }).waitFor();
    expect(console.faults).toEqual([]);
  });

  it('what was typed for an unread receipt stays when the tab is looked at again, and when it is read at last', async () => {
    page = await console.signIn('expenses/new');
    await page.route('**/extract-from-file/*', (route) => route.fulfill({ status: 422, body: '{}' }));
    const file = { name: 'torn.txt', mimeType: 'text/plain', buffer: Buffer.from(receipt('INV-9002')) };
    await page.locator('input[type=file]').first().setInputFiles(file);
    await page.getByText('The receipt could not be read.').waitFor();
    await page.getByLabel('Purpose').fill('Typed by hand');
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    await page.waitForTimeout(300);
    expect(await page.getByLabel('Purpose').inputValue()).toBe('Typed by hand');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The receipt could not be read.').waitFor();
    expect(await page.getByLabel('Purpose').inputValue()).toBe('Typed by hand');
    await page.unroute('**/extract-from-file/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Check what was read').waitFor();
    expect(await page.getByLabel('Total, with tax').inputValue()).toBe('120');
    expect(await page.getByLabel('Purpose').inputValue()).toBe('Typed by hand');
    expect(console.faults.filter((fault) => !fault.includes('422'))).toEqual([]);
  });

  /** Uploads at most so many bytes in a second. */
  const slowly = async (uploadThroughput: number): Promise<void> => {
    const devtools = await page.context().newCDPSession(page);
    const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput };
    await devtools.send('Network.emulateNetworkConditions', conditions);
  };
  const large = { name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(4_000_000, 'receipt ') };
  const small = { ...large, name: 'small.txt', buffer: Buffer.from(receipt('INV-9003')) };

  it('an upload says how far it is, and can be stopped: what was uploaded before waits', async () => {
    page = await console.signIn('expenses/new');
    await slowly(200_000);
    await page.locator('input[type=file]').first().setInputFiles([small, large]);
    await page.getByText(/large.txt.*2 of 2/).waitFor();
    await page.locator('progress[value]').waitFor();
    await page.getByText(/^[1-9]\d?%$/).waitFor();
    expect(await console.problems()).toEqual([]);
    await page.getByRole('link', { name: 'small.txt' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.drop-zone').waitFor();
    await page.getByRole('link', { name: 'small.txt' }).waitFor();
    expect(console.faults).toEqual([]);
  });

  it('a slow upload goes on after the page was left, which shows it again, and says if it fails', async () => {
    page = await console.signIn('expenses/new');
    await page.clock.install();
    let sent = 0;
    page.on('request', (request) => (sent += Number(request.url().endsWith('/files/upload'))));
    await slowly(400_000);
    await page.locator('input[type=file]').first().setInputFiles(large);
    const sentMore = (percent: RegExp) => page.getByText(percent).waitFor();
    await sentMore(/^[1-9]\d?%$/);
    await page.clock.fastForward(40_000);
    await sentMore(/^[3-9]\d%$/);
    await page.clock.fastForward(40_000);
    await page.getByRole('link', { name: 'Company' }).click();
    await console.heading('Company');
    await page.goBack();
    await sentMore(/^[4-9]\d%$/);
    expect(sent).toBe(1);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.drop-zone').waitFor();
    let fail = () => {};
    const left = new Promise<void>((resolve) => (fail = resolve));
    await page.route('**/files/upload', async (route) => {
      await left;
      await route.fulfill({ status: 422, body: '{}' });
    });
    await page.locator('input[type=file]').first().setInputFiles(small);
    await page.getByText(/Uploading .*small.txt/).waitFor();
    await page.getByRole('link', { name: 'Company' }).click();
    await console.heading('Company');
    fail();
    const toasts = page.getByRole('region', { name: 'Notifications' });
    await toasts.getByText('small.txt was not uploaded:').waitFor();
    await toasts.getByRole('link', { name: 'What this error means' }).waitFor();
    expect(await console.problems()).toEqual([]);
  });

  it('without a receipt a note is kept; the keyboard alone is enough', async () => {
    page = await console.signIn('expenses');
    await page.getByRole('link', { name: 'New expense' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Enter by hand' }).focus();
    await page.keyboard.press('Enter');
    const label = 'document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent';
    const tabTo = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press('Tab');
        if ((await page.evaluate<string>(label)) === name) return;
      }
      throw new Error(`the keyboard does not reach ${name}`);
    };
    await page.getByRole('button', { name: 'Choose files' }).focus();
    await tabTo('There is no receipt because…');
    await page.keyboard.type('Parking meter');
    await tabTo('Vendor');
    await page.keyboard.type('paper');
    await page.getByRole('option', { name: /Paper House/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('combobox').inputValue()).toBe('Paper House Ltd');
    await tabTo('Date');
    await page.keyboard.type('11112026');
    expect(await page.getByLabel('Date').inputValue()).toBe('2026-11-11');
    await tabTo('Total, with tax');
    await page.keyboard.type('10');
    await tabTo('Tax in the total');
    await page.keyboard.type('0');
    await tabTo('Purpose');
    await page.keyboard.type('Parking');
    await page.keyboard.press('Enter');
    await console.heading(/^Expense \d+$/);
    await page.getByText('Parking meter').waitFor();
    expect(console.faults).toEqual([]);
  });

  it.each([
    { locale: 'en', search: 'Search purpose, notes or document number', only: 'Only of Paper House Ltd' },
    { locale: 'he', search: 'חיפוש לפי מטרה, הערה או מספר מסמך', only: 'רק של Paper House Ltd' },
  ])('the name of a vendor in the search offers its expenses: $locale', async ({ locale, search, only }) => {
    page = await console.signIn('expenses', { locale });
    await page.getByLabel(search).fill('paper hou');
    await page.getByRole('button', { name: only }).focus();
    expect(await console.flaws()).toEqual(SOUND);
    await page.keyboard.press('Enter');
    await rows().filter({ hasText: 'R-20417' }).waitFor();
    expect(await page.getByRole('combobox').inputValue()).toBe('Paper House Ltd');
    expect(page.url()).toContain(`vendorId=${vendorId}`);
    expect(page.url()).not.toContain('search=');
    expect(await page.evaluate<string>('document.activeElement.type')).toBe('search');
    expect(console.faults).toEqual([]);
  });

  it('the list has the filters and the orders of the API, and explains supplier invoices', async () => {
    page = await console.signIn('expenses?search=Toner');
    await page.getByText('No expense matches these filters').waitFor();
    await page.getByText('With supplier invoices').click();
    await rowsAre(1);
    expect(await rows().first().textContent()).toMatch(/Toner on account.*Supplier invoice/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Sort by Total' }).click();
    await until('the cheapest first', async () =>
      /Parking|Hosting/.test((await rows().first().textContent()) ?? ''),
    );
    expect(await page.getByRole('button', { name: 'Sort by Tax' }).count()).toBe(0);
    await page.getByText('What are supplier invoices?').click();
    await page.getByText('only cancelled').waitFor();
    await page.getByText('No rate yet').first().waitFor();
    await page.getByRole('button', { name: 'As API call' }).click();
    await page
      .getByRole('dialog')
      .getByText(/include=all/)
      .first()
      .waitFor();
    expect(console.faults).toEqual([]);
  });

  it('a viewer finds no way to write, and hostile texts are only texts', async () => {
    const viewer = { role: 'viewer', userName: 'Viewer' };
    const { body } = await service.request<{ key: string }>('POST', '/api-keys', viewer);
    page = await console.signIn('expenses', {}, body.key);
    await rows().first().waitFor();
    expect(await page.getByRole('link', { name: 'New expense' }).count()).toBe(0);
    await console.goto('expenses/new');
    await page.getByText('Your role may not open this page').waitFor();
    await console.goto(`expenses/${hostileId}`);
    await page.getByRole('definition').filter({ hasText: '<img src=x' }).first().waitFor();
    expect(await page.getByRole('button', { name: /Edit|Delete/ }).count()).toBe(0);
    expect(await page.locator('main img[src=x]').count()).toBe(0);
    expect(await console.overflow()).toBe(0);
    expect(console.faults).toEqual([]);
  });

  it.each(LOOKS)('every page of an expense is accessible and fits: %s', async (look, options) => {
    page = await console.signIn('expenses/new', options);
    await page.locator('input[type=file]').first().setInputFiles(PHOTO);
    await page.locator('.certainty').first().waitFor();
    const pages = ['list', 'one', 'reading'] as const;
    const reading = page.url().split('/console/')[1]!;
    const addresses = { list: 'expenses?include=all', one: `expenses/${hostileId}`, reading };
    for (const name of pages) {
      await console.follow(addresses[name]);
      if (name === 'reading') await page.locator('.expense-form').waitFor();
      else
        await page
          .locator(name === 'list' ? 'tbody tr' : '.receipt-text')
          .first()
          .waitFor();
      expect({ name, ...(await console.flaws()) }).toEqual({ name, ...SOUND });
      await console.shoot(`expense-${name}-${look}`);
    }
    expect(console.faults).toEqual([]);
  });

  it('a receipt is read and saved in Hebrew, and what the service refuses is said in Hebrew', async () => {
    page = await console.signIn('expenses/new', { locale: 'he-IL' });
    await page.locator('input[type=file]').first().setInputFiles(path.join(SAMPLES, 'receipt.txt'));
    await page.getByText('יש לבדוק את מה שנקרא').waitFor();
    await page.getByRole('button', { name: 'ספק חדש' }).click();
    const vendor = page.getByRole('form', { name: 'ספק חדש' });
    await vendor.getByRole('textbox', { name: 'שם' }).fill('מכולת');
    await vendor.getByRole('textbox', { name: 'מספר עוסק' }).fill('5'.repeat(21));
    await vendor.getByRole('button', { name: 'יצירת ספק' }).click();
    await vendor.getByText('לכל היותר 20 תווים').waitFor();
    await vendor.getByRole('button', { name: 'ביטול' }).click();
    await page.getByRole('combobox').fill('paper');
    await page.getByRole('option', { name: /Paper House/ }).click();
    await page.getByLabel('מטרה').fill('ציוד משרדי '.repeat(20));
    for (const name of ['סכום כולל מע״מ', 'מתוכו מע״מ', 'תאריך']) {
      const field = page.getByLabel(name);
      if ((await field.inputValue()) === '') await field.fill(name === 'תאריך' ? '2026-11-01' : '10');
    }
    await page.getByRole('button', { name: 'שמירת ההוצאה' }).click();
    await page.getByText('לכל היותר 200 תווים').waitFor();
    await page.getByLabel('מטרה').fill('ציוד משרדי');
    await page.getByRole('button', { name: 'שמירת ההוצאה' }).click();
    await console.heading(/^הוצאה \d+$/);
    await page.getByText('ציוד משרדי').waitFor();
    expect(console.faults.filter((fault) => !fault.includes('400'))).toEqual([]);
  });
});
