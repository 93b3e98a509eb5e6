import type { TestCompany, TestService } from '@counterfoil/test-harness';
import { DEMO_KEY, until } from '@counterfoil/test-harness';
import type { Page } from 'playwright-core';
import { LANGUAGES } from '../src/app/messages.ts';
import { type ConsoleBrowser, SOUND } from './console-browser';
import { type Console, journeys } from './journeys';

let service: TestService;
let console: ConsoleBrowser;
let other: TestCompany;
let viewerKey: string;

async function given(ready: Console): Promise<void> {
  ({ service, browser: console } = ready);
  other = await service.createCompany('Zebra Ltd');
  const viewer = await service.request<{ key: string }>('POST', '/api-keys', {
    ...{ role: 'viewer', userName: 'Viewer' },
  });
  viewerKey = viewer.body.key;
  await service.request('POST', '/vendors/create', {
    ...{ name: 'Paper House', taxId: '514000009', type: 'COMPANY' },
  });
}

async function endSessions(): Promise<void> {
  const { body } = await service.request<{ data: { id: number }[] }>('GET', '/sessions');
  for (const { id } of body.data) await service.request('DELETE', `/sessions/${id}`);
}

async function sessionsOf({ ownerKey }: TestCompany): Promise<number> {
  const { body } = await service.request<{ total: number }>('GET', '/sessions', undefined, ownerKey);
  return body.total;
}

const vendors = async (search: string, key?: string) =>
  (
    await service.request<{ data: { email: string }[] }>(
      ...(['GET', `/vendors?search=${encodeURIComponent(search)}`, undefined, key] as const),
    )
  ).body.data;

journeys('a session that ends in the console', { given, languages: LANGUAGES }, (language, say) => {
  const asks = (page: Page) => page.getByRole('alertdialog', { name: say('Sign in again') });
  const inCompany = (page: Page, name: string) =>
    page.locator('.company').filter({ hasText: name }).waitFor();
  const choose = async (page: Page, role: 'menuitem' | 'menuitemradio', name: string | RegExp) => {
    await page.locator('.company').click();
    await page.getByRole(role, { name }).click();
  };
  const signInToOther = async (page: Page) => {
    await choose(page, 'menuitem', say('Sign in to another company'));
    await page.getByLabel(/API/).fill(other.ownerKey);
    await page.keyboard.press('Enter');
    await inCompany(page, 'Zebra Ltd');
  };
  const companiesOf = async (page: Page) => {
    await page.locator('.company').click();
    await page.getByRole('menuitemradio').first().waitFor();
    const names = await page.getByRole('menuitemradio').allTextContents();
    await page.keyboard.press('Escape');
    return names;
  };
  /** The browser reports each refusal. */
  const faults = () => console.faults.filter((fault) => !/40[13]/.test(fault));
  /** Uploads a receipt from the page for new expenses. */
  const upload = (page: Page, name: string) =>
    page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(`${name}\nTotal: 118.00`) });

  it('leaves a form as it was typed, for the same company and no smaller role', async () => {
    const name = `Ink Works ${language}`;
    const page = await console.signIn('expenses/new');
    await upload(page, 'kept.txt');
    const isRead = () => page.locator('.expense-form').waitFor();
    await isRead();
    const receipt = page.url().split('/console/')[1]!;
    let readings = 0;
    page.on('request', (request) => (readings += Number(request.url().includes('/extract-from-file/'))));
    await console.follow('vendors');
    await page.getByRole('button', { name: say('New vendor') }).click();
    const form = page.getByRole('dialog', { name: say('New vendor') });
    await form.getByLabel(say.exactly('Name')).fill(name);
    await form.getByLabel(say('Tax id')).fill('514000017');
    await form.getByLabel(say('E-mail')).fill('ink@example.com');
    await endSessions();
    await form.getByRole('button', { name: say('Create') }).click();
    await asks(page).waitFor();
    expect(await console.problems()).toEqual([]);
    await console.shoot(`session-ended-form-${language}`);

    await console.signInWith(other.ownerKey);
    await asks(page)
      .getByText(say('This is a key of Zebra Ltd. The page can go on only with a key of Demo company.'))
      .waitFor();
    await console.signInWith(viewerKey);
    await asks(page)
      .getByText(
        say(
          'This key may do less than the one before. The page can go on only with a key that may do the same.',
        ),
      )
      .waitFor();
    await console.signInWith('sk_live_wrong');
    await asks(page)
      .getByText(
        say('This key was refused. It is unknown, revoked or expired, or may not be used from here.'),
      )
      .waitFor();
    await console.signInWith(DEMO_KEY);
    await console.gone('[role=alertdialog]');
    expect(await vendors(name)).toEqual([]);
    expect(await form.getByLabel(say('E-mail')).inputValue()).toBe('ink@example.com');
    expect(await form.getByRole('alert').count()).toBe(0);
    await form.getByRole('button', { name: say('Create') }).click();
    await console.heading(name);
    expect(await vendors(name)).toMatchObject([{ name, taxId: '514000017', email: 'ink@example.com' }]);
    expect(await vendors(name, other.ownerKey)).toEqual([]);
    await console.follow(receipt);
    await isRead();
    expect(readings).toBe(0);
    await page.reload();
    await isRead();
    expect(faults()).toEqual([]);
  });

  it('leaves a page as it was typed when the page itself reads, and what it reads is read again', async () => {
    const page = await console.signIn('expenses/new?by=hand');
    await page.getByLabel(say('Purpose')).fill('Copier paper');
    await page.getByRole('combobox').focus();
    await page.getByRole('option', { name: /Paper House/ }).waitFor();
    await endSessions();
    await page.getByRole('combobox').fill('paper h');
    await asks(page).waitFor();
    await console.signInWith(DEMO_KEY);
    await console.gone('[role=alertdialog]');
    expect(await page.getByLabel(say('Purpose')).inputValue()).toBe('Copier paper');
    await page.getByRole('combobox').fill('paper hou');
    await page.getByRole('option', { name: /Paper House/ }).click();
    await until('the vendor', async () => (await page.getByRole('combobox').inputValue()) === 'Paper House');
    expect(await console.flaws()).toEqual(SOUND);
    expect(faults()).toEqual([]);
  });

  it('ends no other one with an answer that comes late', async () => {
    const page = await console.signIn('expenses/new');
    let refuse = () => {};
    await page.route('**/files/upload', async (route) => {
      await new Promise<void>((resolve) => (refuse = resolve));
      await route.continue();
    });
    const uploading = async (name: string) => {
      await Promise.all([page.waitForRequest('**/files/upload'), upload(page, name)]);
    };
    const refused = async (name: string) => {
      refuse();
      await page.getByText(say(`${name} was not uploaded:`)).waitFor();
      expect(await asks(page).count()).toBe(0);
    };
    await uploading('first.txt');
    await endSessions();
    await console.follow('vendors');
    await asks(page).waitFor();
    await console.signInWith(DEMO_KEY);
    await page.getByRole('link', { name: 'Paper House' }).waitFor();
    await refused('first.txt');

    await console.follow('expenses/new');
    await uploading('second.txt');
    await signInToOther(page);
    await endSessions();
    await refused('second.txt');
    expect(await companiesOf(page)).toEqual(['Zebra Ltd']);
    await page.reload();
    await inCompany(page, 'Zebra Ltd');
    expect(faults()).toEqual([]);
  });

  it('is signed out slowly, and the company that was chosen meanwhile stays', async () => {
    const page = await console.signIn('vendors');
    await signInToOther(page);
    await choose(page, 'menuitemradio', 'Demo company');
    await inCompany(page, 'Demo company');
    const ending = /\/sessions\/\d+$/;
    const release = await console.hold(ending);
    await Promise.all([page.waitForRequest(ending), choose(page, 'menuitem', say('Sign out'))]);
    await choose(page, 'menuitemradio', 'Zebra Ltd');
    await inCompany(page, 'Zebra Ltd');
    const ended = page.waitForResponse(ending);
    release();
    await ended;
    await until('one company', async () => (await companiesOf(page)).join() === 'Zebra Ltd');
    await page.reload();
    await inCompany(page, 'Zebra Ltd');
    expect(faults()).toEqual([]);
  });

  it('is signed out in one tab, and the company of another tab stays in all', async () => {
    const page = await console.signIn('vendors');
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await inCompany(tab, 'Demo company');
    await signInToOther(tab);
    expect(await companiesOf(page)).toEqual(['Demo company', 'Zebra Ltd']);
    await choose(page, 'menuitem', say('Sign out'));
    await console.heading(say('Sign in to Counterfoil'));
    expect(await companiesOf(tab)).toEqual(['Zebra Ltd']);
    const newTab = await page.context().newPage();
    await newTab.goto(page.url());
    await inCompany(newTab, 'Zebra Ltd');
    expect(faults()).toEqual([]);
  });

  it('is signed out without a question when it has ended already', async () => {
    const page = await console.signIn('vendors');
    await page.getByRole('link', { name: 'Paper House' }).waitFor();
    await endSessions();
    await choose(page, 'menuitem', say('Sign out'));
    await console.heading(say('Sign in to Counterfoil'));
    expect(await asks(page).count()).toBe(0);
    expect(await page.getByRole('status').count()).toBe(0);
    expect(faults()).toEqual([]);
  });

  it('is given up for the page that signs in, and cannot be replaced in a suspended company', async () => {
    const page = await console.signIn('vendors');
    await page.getByRole('link', { name: 'Paper House' }).waitFor();
    await endSessions();
    await page.getByLabel(say('Search name, tax id or e-mail')).fill('pap');
    await asks(page)
      .getByRole('button', { name: say('Leave the page and lose what you typed') })
      .click();
    await page.getByText(say('Your session has ended. Sign in again.')).waitFor();
    const before = await sessionsOf(other);
    await console.signInWith(other.ownerKey);
    await page.locator('.company').filter({ hasText: 'Zebra Ltd' }).waitFor();
    await console.settled();
    expect(await page.getByRole('link', { name: 'Paper House' }).count()).toBe(0);

    await service.admin('company:suspend', '--company', String(other.companyId));
    await page.getByLabel(say('Search name, tax id or e-mail')).fill('ink');
    await asks(page).waitFor();
    await console.signInWith(other.ownerKey);
    await asks(page)
      .getByText(say('The company of this key is suspended. Ask the operator of this service.'))
      .waitFor();
    await asks(page)
      .getByRole('button', { name: say('Leave the page and lose what you typed') })
      .click();
    await page.getByText(say('Your session has ended. Sign in again.')).waitFor();
    await service.admin('company:resume', '--company', String(other.companyId));
    await until(
      'the session that was left to be ended',
      async () => (await sessionsOf(other)) === before,
      10_000,
    );
    expect(faults()).toEqual([]);
  });
});
