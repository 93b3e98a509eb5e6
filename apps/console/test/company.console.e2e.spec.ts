import { type TestService, until } from '@counterfoil/test-harness';
import sharp from 'sharp';
import { LANGUAGES } from '../src/app/messages.ts';
import { type ConsoleBrowser, SOUND } from './console-browser';
import { type Console, journeys } from './journeys';

let service: TestService;
let console: ConsoleBrowser;

function given(ready: Console): void {
  ({ service, browser: console } = ready);
}

const company = async () => (await service.request('GET', '/company')).body;

journeys('the company in the console', { given, languages: LANGUAGES }, (language, say) => {
  it('is edited: what was changed is shown before, and sent alone', async () => {
    const before = await company();
    const page = await console.signIn('company');
    await page.getByRole('button', { name: say.exactly('Edit') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(say('Nothing has changed yet.')).waitFor();
    const save = dialog.getByRole('button', { name: say.exactly('Save') });
    expect(await save.isDisabled()).toBe(true);
    await dialog.getByLabel(say('Registered name')).fill('Acme Trading Ltd');
    await dialog.getByLabel(say('House number')).fill('12a');
    expect(await dialog.getByText(say('This field is needed.')).count()).toBe(2);
    await dialog.getByLabel(say('Street')).fill('הרצל');
    await dialog.getByLabel(say('City')).fill('Tel Aviv');
    const colour = dialog.getByLabel(say.exactly('Colour of documents'));
    await colour.fill('teal');
    await dialog.getByText(say('Enter a colour, such as #1a5fb4.')).waitFor();
    expect(await save.isDisabled()).toBe(true);
    for (const chosen of ['#ffffff', '#0b6e4f']) {
      await dialog.getByLabel(say('Colour of documents: palette')).fill(chosen);
      expect(await colour.inputValue()).toBe(chosen);
    }
    await dialog.getByLabel(say('Reminders, in days after the due date')).fill('7, -3');
    await dialog.getByRole('button', { name: say('Add a bank account') }).click();
    const account = dialog.getByRole('group', { name: say('Bank account 1') });
    await account.getByLabel(say.exactly('Bank')).fill('12 Hapoalim');
    await account.getByLabel(say.exactly('Account')).fill('123456');
    await dialog.getByRole('button', { name: say('Add a bank account') }).click();
    const second = dialog.getByRole('group', { name: say('Bank account 2') });
    await second.getByLabel(say.exactly('Bank')).fill('12 Hapoalim');
    await second.getByLabel(say.exactly('Account')).fill('654321');
    await second.getByLabel('IBAN').fill('il62 0108 0000 0009 9999 999');
    await console.shoot(`company-edit-${language}`);
    expect(await console.problems()).toEqual([]);
    const changes = {
      ...{ legalName: 'Acme Trading Ltd', accentColor: '#0b6e4f', reminderDays: [7, -3] },
      address: { street: 'הרצל', houseNumber: '12a', city: 'Tel Aviv', country: 'IL' },
      bankAccounts: [
        { bank: '12 Hapoalim', branch: '', account: '123456', iban: '' },
        { bank: '12 Hapoalim', branch: '', account: '654321', iban: 'IL620108000000099999999' },
      ],
    };
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'PUT'),
      save.click(),
    ]);
    expect(sent.postDataJSON()).toEqual(changes);
    await page.getByText(say('The company was saved. New documents show it.')).waitFor();
    expect(await company()).toEqual({
      ...{ ...(before as object), ...changes, reminderDays: [-3, 7] },
      address: { street: 'הרצל', houseNumber: '12a', city: 'Tel Aviv', zipCode: null, country: 'IL' },
      bankAccounts: changes.bankAccounts.map((one) => ({ ...one, branch: null, iban: one.iban || null })),
    });
    await page.getByText('Acme Trading Ltd').waitFor();
    await console.shoot(`company-${language}`);
    expect(await console.flaws()).toEqual(SOUND);

    await page.getByRole('button', { name: say.exactly('Edit') }).click();
    for (const name of ['Street', 'House number', 'City']) await dialog.getByLabel(say(name)).fill('');
    await dialog.getByRole('button', { name: say('Remove: Bank account 1') }).click();
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await company()).toMatchObject({
      ...{ address: null, legalName: 'Acme Trading Ltd' },
      bankAccounts: [{ account: '654321' }],
    });
    await page.getByText('654321').waitFor();
    expect(await page.getByText('123456').count()).toBe(0);
  });

  it('a bank account is removed among others: they stay, and the focus goes to the next one', async () => {
    const page = await console.signIn('company');
    await page.getByRole('button', { name: say.exactly('Edit') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(say('Nothing has changed yet.')).waitFor();
    const add = dialog.getByRole('button', { name: say('Add a bank account') });
    const rows = dialog.getByRole('group', { name: say('Bank account {number}') });
    while ((await rows.count()) > 0)
      await dialog.getByRole('button', { name: say('Remove: Bank account 1') }).click();
    for (const [index, number] of ['111', '222', '333'].entries()) {
      await add.click();
      await rows.nth(index).getByLabel(say.exactly('Account')).fill(number);
    }
    const numbers = async () => {
      const fields = await rows.getByLabel(say.exactly('Account')).all();
      return Promise.all(fields.map((field) => field.inputValue()));
    };
    const remove = async (row: number) => {
      await dialog.getByRole('button', { name: say(`Remove: Bank account ${row}`) }).focus();
      await page.keyboard.press('Enter');
    };
    const hasFocus = (text: string) =>
      until(text, async () => (await page.evaluate<string>('document.activeElement.textContent')) === text);
    await remove(2);
    await until('two rows', async () => (await rows.count()) === 2);
    expect(await numbers()).toEqual(['111', '333']);
    await page.keyboard.type('Leumi');
    expect(await rows.nth(1).getByLabel(say.exactly('Bank')).inputValue()).toBe('Leumi');
    await remove(2);
    await hasFocus(say.plain('Add a bank account'));
    expect(await numbers()).toEqual(['111']);
  });

  it('gets a logo, keeps it if another one is refused, and loses it', async () => {
    const page = await console.signIn('company');
    const input = page.locator('input[type=file]');
    const { width, height, channels, background } = {
      width: 400,
      height: 120,
      channels: 3,
      background: '#0b6e4f',
    } as const;
    const buffer = await sharp({ create: { width, height, channels, background } }).png().toBuffer();
    await input.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
    await page.getByText(say('New documents show the logo.')).waitFor();
    const picture = page.getByRole('img', { name: say('Logo') });
    await picture.waitFor();
    const shown = `document.querySelector('.logo-picture').decode().then(() => document.querySelector('.logo-picture').naturalWidth)`;
    expect(await page.evaluate(shown)).toBe(width);
    const { logoFile } = (await company()) as { logoFile: { id: number } };
    await input.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    const problem = page.getByRole('alert');
    await problem.getByText(say('Something that was entered is not valid')).waitFor();
    expect(await problem.locator('[lang=en][dir=ltr]').first().textContent()).toMatch(/[a-z]/);
    expect(await company()).toMatchObject({ logoFile: { id: logoFile.id } });
    await page.getByRole('button', { name: say('Remove the logo') }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: say('Remove') })
      .click();
    await page.getByText(say('New documents show no logo.')).waitFor();
    expect(await company()).toMatchObject({ logoFile: null });
  });

  if (language !== 'en') return;

  it('is shown to others without what changes it', async () => {
    for (const role of ['accountant', 'viewer']) {
      const { body } = await service.request<{ key: string }>('POST', '/api-keys', { role, userName: role });
      const page = await console.signIn('company', {}, body.key);
      await page.getByText('Defaults of documents').waitFor();
      expect(await page.getByRole('button', { name: /Edit|picture|Remove/ }).count()).toBe(0);
      await console.leave();
    }
  });
});
