import fs from 'node:fs';
import path from 'node:path';
import { DEMO_KEY, type TestCompany, type TestService, until } from '@counterfoil/test-harness';
import type { Page } from 'playwright-core';
import { type ConsoleBrowser, LOOKS, SOUND } from './console-browser';
import { type Console, journeys } from './journeys';

const PATHS = [
  ...['', 'expenses', 'expenses/new', 'expenses/new?by=hand', 'documents', 'documents/new'],
  ...['retainers', 'retainers/new', 'payments', 'payments/cards', 'payments/pages', 'payments/recurring'],
  ...['changes', 'mails', 'rates'],
  ...['vendors', 'clients', 'stock', 'webhooks', 'webhooks/events', 'company', 'keys', 'sessions', 'nowhere'],
];

let service: TestService;
let console: ConsoleBrowser;
let company: TestCompany;
let viewerKey: string;

async function given(ready: Console): Promise<void> {
  ({ service, browser: console } = ready);
  company = await service.createCompany('Zebra & Sons <b>Ltd</b>');
  const viewer = { role: 'viewer', userName: 'דנה לוי', name: 'הנהלת חשבונות' };
  viewerKey = (await service.request<{ key: string }>('POST', '/api-keys', viewer)).body.key;
}

journeys('the console', { given }, () => {
  it('refuses a wrong key, and keeps none in the browser', async () => {
    const page = await console.open('keys');
    await console.signInWith('sk_live_wrong');
    await page.getByText('This key was refused').waitFor();
    await console.shoot('sign-in-refused');
    expect(await console.problems()).toEqual([]);
    // The browser reports the 401 of the wrong key.
    console.faults = console.faults.filter((fault) => !fault.includes('401'));
    await console.signInWith(DEMO_KEY);
    await console.heading('API keys');
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(kept).not.toContain('sk_');
    expect(kept).toContain('Demo company');
    expect(console.faults).toEqual([]);
  });

  it('is used with the keyboard alone', async () => {
    const page = await console.open();
    await page.locator('input:focus').waitFor();
    await page.keyboard.type(DEMO_KEY);
    await page.keyboard.press('Enter');
    await console.heading('Today');
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.className')).toBe('skip');
    await page.getByRole('link', { name: 'Sessions' }).focus();
    await page.keyboard.press('Enter');
    await console.heading('Sessions');
    await page.locator('.company').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await console.heading('Sign in to Counterfoil');
    expect(console.faults).toEqual([]);
  });

  it('speaks Hebrew, from right to left, and remembers it', async () => {
    const page = await console.signIn();
    await page.getByRole('button', { name: 'Language and appearance' }).click();
    await page.getByRole('menuitemradio', { name: 'עברית' }).click();
    await console.heading('היום');
    expect(await page.evaluate<string>('document.documentElement.dir + document.documentElement.lang')).toBe(
      'rtlhe',
    );
    await page.reload();
    await console.heading('היום');
    expect(console.faults).toEqual([]);
  });

  it('switches between companies, and shows nothing of one in the other', async () => {
    const page = await console.signIn('company');
    await page.locator('.company').click();
    await page.getByRole('menuitem', { name: 'Sign in to another company' }).click();
    await console.signInWith(company.ownerKey);
    await page.getByRole('button', { name: /^Company: Zebra & Sons <b>Ltd/ }).waitFor();
    await page.getByRole('link', { name: 'Company' }).click();
    await page.getByRole('definition').filter({ hasText: 'Zebra & Sons <b>Ltd</b>' }).waitFor();
    await page.locator('.company').click();
    await page.getByRole('menuitemradio', { name: /Zebra/, checked: true }).waitFor();
    await page.getByRole('menuitemradio', { name: 'Demo company', checked: false }).click();
    await page.getByRole('button', { name: /^Company: (?!Zebra)/ }).waitFor();
    await console.heading('Company');
    await page.locator('main').getByText('Zebra').first().waitFor({ state: 'detached' });
    expect(console.faults).toEqual([]);
  });

  it.each([
    ['en', 'You are דנה לוי, Viewer', 'API key: הנהלת חשבונות'],
    ['he', 'משתמש: דנה לוי, צופה', 'מפתח API: הנהלת חשבונות'],
  ])('the menu of the company names the user, the role and the key: %s', async (locale, who, key) => {
    const page = await console.signIn('', { locale }, viewerKey);
    await page.locator('.company').click();
    const named = page.getByRole('group').filter({ hasText: who });
    await named.getByText(key).waitFor();
    await console.shoot(`who-${locale}`);
    expect(await console.flaws()).toEqual(SOUND);
    expect(console.faults).toEqual([]);
  });

  it.each([
    ['en', 'Your session has ended', 'You are signed in to'],
    ['he', 'החיבור הסתיים', 'החברות שכבר מחוברים אליהן'],
  ])(
    'two tabs are in two companies, and a session that ends leads to no other one: %s',
    async (locale, ended, signedInTo) => {
      const page = await console.signIn('company', { locale });
      const inCompany = (tab: Page, name: RegExp) =>
        tab.locator('.company').filter({ hasText: name }).waitFor();
      await console.goto('sign-in');
      await console.signInWith(company.ownerKey);
      await inCompany(page, /Zebra/);
      const other = await page.context().newPage();
      await other.goto(page.url());
      await inCompany(other, /Zebra/);
      await other.locator('.company').click();
      await other.getByRole('menuitemradio', { name: 'Demo company' }).click();
      await inCompany(other, /Demo/);
      await page.reload();
      await inCompany(page, /Zebra/);
      await other.reload();
      await inCompany(other, /Demo/);
      const { body } = await service.request<{ data: { id: number }[] }>(
        ...(['GET', '/sessions', undefined, company.ownerKey] as const),
      );
      for (const { id } of body.data)
        await service.request('DELETE', `/sessions/${id}`, undefined, company.ownerKey);
      await page.reload();
      await page.getByText(ended).waitFor();
      await console.shoot(`session-ended-${locale}`);
      expect(await console.problems()).toEqual([]);
      await page
        .getByRole('region', { name: signedInTo })
        .getByRole('button', { name: 'Demo company' })
        .click();
      await inCompany(page, /Demo/);
    },
  );

  it('ends the session of another browser, which then asks to sign in', async () => {
    const other = console.another();
    await other.signIn();
    const page = await console.signIn('sessions');
    await page.getByRole('row').filter({ hasNotText: 'This browser' }).getByRole('button').last().click();
    await console.shoot('confirm');
    await page.getByRole('button', { name: 'End session', exact: true }).click();
    await page.getByText(/session of .* was ended/).waitFor();
    // Its row is gone, and the button in it.
    const focused = () => page.evaluate<string>("document.activeElement.getAttribute('aria-label')");
    await until('the table to be focused', async () => (await focused()) === 'Sessions');
    await other.page.reload();
    await other.page.getByText('Your session has ended').waitFor();
    await other.leave();
  });

  it('gives the table the focus when a row goes away under a question about it', async () => {
    const other = console.another();
    await other.signIn();
    const page = await console.signIn('sessions');
    await page.getByRole('row').filter({ hasNotText: 'This browser' }).getByRole('button').last().click();
    await page.getByRole('alertdialog').waitFor();
    const own = Number(await page.evaluate<string>("sessionStorage.getItem('counterfoil.session')"));
    const { body } = await service.request<{ data: { id: number }[] }>('GET', '/sessions');
    for (const { id } of body.data.filter((session) => session.id !== own))
      await service.request('DELETE', `/sessions/${id}`);
    const asking = setInterval(() => void page.evaluate("dispatchEvent(new Event('visibilitychange'))"), 500);
    await console.gone('[role=alertdialog]').finally(() => clearInterval(asking));
    const focused = () => page.evaluate<string>("document.activeElement.getAttribute('aria-label')");
    await until('the table to be focused', async () => (await focused()) === 'Sessions');
    await other.leave();
    expect(console.faults).toEqual([]);
  });

  it('shows a viewer no controls that write', async () => {
    const { body } = await service.request<{ key: string }>('POST', '/api-keys', {
      role: 'viewer',
      userName: 'Viewer',
    });
    const page = await console.signIn('', {}, body.key);
    await console.heading('Today');
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
    expect(await page.getByText('Paused webhook endpoints').count()).toBe(0);
    expect(console.faults).toEqual([]);
  });

  it.each([
    { locale: 'en', create: 'Create key', user: 'User', addresses: 'Addresses', stored: 'I have stored it' },
    { locale: 'he', create: 'יצירת מפתח', user: 'משתמש', addresses: 'כתובות', stored: 'שמרתי אותו' },
  ])(
    'creates a key with limits, shows it once, and the key works: $locale',
    async ({ locale, create, user, addresses, stored }) => {
      const page = await console.signIn('keys', { locale });
      await page.getByRole('button', { name: create }).click();
      const form = page.getByRole('dialog');
      await form.getByRole('textbox', { name: user, exact: true }).fill(`Till <b>${locale}</b>`);
      await form.getByRole('combobox').selectOption('editor');
      await form.getByRole('textbox', { name: addresses }).fill('192.0.2.0/24\nnonsense');
      await form.getByRole('button', { name: create }).click();
      await form.getByText('VALIDATION_FAILED').waitFor();
      console.faults = console.faults.filter((fault) => !fault.includes('400'));
      await form.getByRole('textbox', { name: addresses }).fill('127.0.0.0/8\n::1');
      expect(await console.flaws()).toEqual(SOUND);
      await console.shoot(`keys-create-${locale}`);
      await form.getByRole('button', { name: create }).click();
      const shown = page.getByRole('alertdialog');
      const key = (await shown.locator('pre').textContent())!;
      await page.keyboard.press('Escape');
      expect(await console.flaws()).toEqual(SOUND);
      await console.shoot(`keys-created-${locale}`);
      await shown.getByRole('button', { name: stored }).click();
      await page
        .getByRole('row')
        .filter({ hasText: `Till <b>${locale}</b>` })
        .waitFor();
      expect(await page.content()).not.toContain(key);
      const caller = await service.request<{ role: string }>('GET', '/caller', undefined, key);
      expect(caller).toMatchObject({ status: 200, body: { role: 'editor' } });
      expect(console.faults).toEqual([]);
    },
  );

  it('shows each call as a program makes it, without the key', async () => {
    const page = await console.signIn('keys');
    await page.getByRole('button', { name: 'As API call' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`curl '${service.url}/api-keys?limit=50&offset=0'`).waitFor();
    expect(await dialog.textContent()).not.toContain(DEMO_KEY);
    await console.shoot('as-api-call');
    expect(await console.problems()).toEqual([]);
    expect(console.faults).toEqual([]);
  });

  it.each(LOOKS)('every page is accessible and fits: %s', async (look, options) => {
    await console.signIn('', options);
    for (const at of PATHS) {
      // In one look by its address. The last has no page, like the address that `follow` passes on its way.
      const isLoaded = look === 'en' || at === 'nowhere';
      await (isLoaded ? console.goto(at) : console.follow(at));
      expect({ at, ...(await console.flaws()) }).toEqual({ at, ...SOUND });
      await console.shoot(`${at.replaceAll('/', '-') || 'today'}-${look}`);
    }
    expect(console.faults).toEqual([]);
  });
});

it('the first screen is at most 250 kB, compressed', () => {
  const folder = path.resolve(__dirname, '../../../dist/console');
  const html = fs.readFileSync(path.join(folder, 'index.html'), 'utf8');
  const names = [...html.matchAll(/\/console\/(assets\/[\w.-]+)"/g)].map(([, name]) => name!);
  const pages = fs.readdirSync(path.join(folder, 'assets')).filter((name) => /^page-.*\.js$/.test(name));
  const size = (name: string) => fs.statSync(path.join(folder, `${name}.gz`)).size;
  const first = names.reduce((sum, name) => sum + size(name), 0);
  const largest = Math.max(...pages.map((name) => size(`assets/${name}`)));
  expect(names.length).toBeGreaterThan(2);
  expect(first + largest).toBeLessThan(250_000);
});
