import type { TestService } from '@counterfoil/test-harness';
import { LANGUAGES } from '../src/app/messages.ts';
import { type ConsoleBrowser, LOOKS, SOUND } from './console-browser';
import { type Console, journeys } from './journeys';

const HOSTILE = `<img src=x onerror=alert(1)>\u202Eבא\u200B${'W'.repeat(120)}`;

let service: TestService;
let console: ConsoleBrowser;
/** A vendor with a pricelist, and its visible id. */
let paper: string;
let shop: string;

async function given(ready: Console): Promise<void> {
  ({ service, browser: console } = ready);
  const created = await service.request<{ visibleId: string }>('POST', '/vendors/create', {
    ...{ name: 'Paper House', taxId: '514000009', type: 'COMPANY', email: 'office@paper.example' },
  });
  paper = created.body.visibleId;
  const client = { name: 'חנות הפינה', taxId: '514000017', type: 'COMPANY' };
  const { body } = await service.request<{ visibleId: string }>('POST', '/clients/create', client);
  shop = body.visibleId;
  await service.request('POST', '/vendors/create', { name: HOSTILE, taxId: '1', type: 'PATOOR' });
  for (const [name, sku] of [
    ['Paper A4', 'A4'],
    ['עט כחול', 'PEN-1'],
  ])
    await service.request('POST', '/products/create', { name, sku, unit: 'box', buyingPrice: 20 });
}

journeys('vendors and clients in the console', { given, languages: LANGUAGES }, (language, say) => {
  it('creates a vendor, clears a field of it, and finds it by search', async () => {
    const page = await console.signIn('vendors');
    await page.getByRole('button', { name: say('New vendor') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: say('Create') }).click();
    await dialog.getByText(say('This field is needed.')).first().waitFor();
    await dialog.getByLabel(say.exactly('Name')).fill('Ink Works');
    await dialog.getByLabel(say('Tax id')).fill('514000017');
    await dialog.getByLabel(say('E-mail')).fill('ink@example.com');
    await dialog.getByLabel(say('Phone')).fill('03-1234567');
    await dialog.getByRole('button', { name: say('Create') }).click();
    await console.heading('Ink Works');
    const id = page.url().split('/').pop()!;
    expect(await page.title()).toBe('Ink Works · Demo company · Counterfoil');

    await page.getByRole('button', { name: say('Edit') }).click();
    await dialog.getByText(say('Nothing has changed yet.')).waitFor();
    await dialog.getByLabel(say('E-mail')).fill('');
    await dialog.getByText(say('Will be cleared')).waitFor();
    await dialog.getByLabel(say('VAT rate, %')).fill('17.5');
    await dialog
      .getByText(say('Only what you changed is saved. All other fields stay as they are.'))
      .waitFor();
    await console.shoot(`vendor-edit-${language}`);
    expect(await console.problems()).toEqual([]);
    const [sent] = await Promise.all([
      page.waitForRequest(/\/vendors\/edit\//),
      dialog.getByRole('button', { name: say('Save') }).click(),
    ]);
    expect(sent.postDataJSON()).toEqual({ email: '', specialVat: 17.5 });
    await page.getByText(say('Ink Works was saved.')).waitFor();
    const { body } = await service.request('GET', `/vendors/id/${id}`);
    expect(body).toMatchObject({ email: null, phoneNumber: '03-1234567', specialVat: 17.5 });

    await page.getByRole('link', { name: say('Vendors') }).click();
    await page.getByLabel(say('Search name, tax id or e-mail')).fill('ink w');
    await page.getByText(say('1–1 of 1')).waitFor();
    expect(page.url()).toContain('search=ink');
    await page.reload();
    await page.getByText(say('1–1 of 1')).waitFor();
    await page.getByRole('link', { name: 'Ink Works' }).waitFor();
    expect(console.faults).toEqual([]);
  });

  it('gives a client an address, and clears it', async () => {
    const page = await console.signIn(`clients/${shop}`);
    const dialog = page.getByRole('dialog');
    const edit = async (values: Readonly<Record<string, string>>) => {
      await page.getByRole('button', { name: say('Edit') }).click();
      for (const [name, value] of Object.entries(values)) await dialog.getByLabel(say(name)).fill(value);
    };
    const save = async () => {
      await dialog.getByRole('button', { name: say('Save') }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    const addressOf = async () => {
      const { body } = await service.request<{ address: object | null }>('GET', `/clients/id/${shop}`);
      return body.address;
    };
    await edit({ City: 'לרנקה' });
    await dialog.getByText(say('This field is needed.')).waitFor();
    await dialog.getByLabel(say('Street')).fill('Herzl');
    await dialog.getByLabel(say('Country')).selectOption({ value: 'CY' });
    // The first call succeeds, and the second one does not: the address is not created again.
    await page.route('**/clients/edit/*', (route) => route.fulfill({ status: 409, body: '{}' }), {
      times: 1,
    });
    await dialog.getByRole('button', { name: say('Save') }).click();
    await dialog.getByRole('alert').waitFor();
    await save();
    expect(await addressOf()).toMatchObject({ street: 'Herzl', city: 'לרנקה', country: 'CY' });
    const { body: addresses } = await service.request<{ pagination: { total: number } }>('GET', '/addresses');
    expect(addresses.pagination.total).toBe(1);
    await page.getByText('Herzl, לרנקה, CY').waitFor();
    expect(await console.problems()).toEqual([]);
    await edit({ Street: '', City: '' });
    const [sent] = await Promise.all([page.waitForRequest(/\/clients\/edit\//), save()]);
    expect(sent.postDataJSON()).toEqual({ addressId: null });
    expect(await addressOf()).toBeNull();
  });

  it('pastes a pricelist, says what is wrong while it is typed, replaces it and quotes', async () => {
    const page = await console.signIn(`vendors/${paper}/pricelist`);
    await page.getByText(say('This vendor has no prices yet')).waitFor();
    await page.getByRole('button', { name: say('Paste from a spreadsheet') }).click();
    // Nothing is sent from there.
    const paste = page.getByRole('dialog', { name: say('Paste from a spreadsheet') });
    expect(await paste.getByRole('button', { name: say('As API call') }).count()).toBe(0);
    await page
      .getByRole('textbox', { name: say('Cells') })
      .fill('SKU\tPrice\tFrom\tTo\nA4\t₪20.00\t1\t10\nA4\t18.5\t10\t100\nPEN-1\t1,250\nNONE\t3');
    await page.getByText(say('Rows: 4. Products: 2.')).waitFor();
    await page.getByText(say('Line {line}: no active product has the SKU NONE')).waitFor();
    await console.shoot(`pricelist-paste-${language}`);
    expect(await console.problems()).toEqual([]);
    await page.getByRole('button', { name: say('Put into the grid') }).click();
    await page.getByText(say('Tiers 1 and 2 overlap: both bounds belong to a tier.')).waitFor();
    await console.shoot(`pricelist-wrong-${language}`);
    expect(await page.getByRole('button', { name: say('Replace the list') }).count()).toBe(0);
    await page.getByLabel(say.exactly('To')).first().fill('9.9999');
    await page.getByText(say('Not saved yet: 2 entries in the grid.')).waitFor();
    await page.getByRole('button', { name: say('Replace the list') }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: say('Replace the list') })
      .click();
    await page.getByText(say('The list was replaced: 2 entries.')).waitFor();
    await page.getByLabel(say.exactly('Quantity')).fill('12');
    await page.getByRole('button', { name: say.exactly('Quote') }).click();
    await page.getByText(say('The tier of the quantity')).waitFor();
    await page.getByRole('definition').filter({ hasText: '222' }).waitFor();
    const { body } = await service.request<{ entries: object[] }>('GET', `/vendors/id/${paper}/pricelist`);
    expect(body.entries).toEqual([
      expect.objectContaining({ productSku: 'A4', pricingMode: 'tiers', tiersMode: 'range' }),
      expect.objectContaining({ productSku: 'PEN-1', pricingMode: 'fixed', buyingPrice: 1250 }),
    ]);
    expect(console.faults).toEqual([]);
  });

  it('creates a client with the keyboard alone', async () => {
    const page = await console.signIn('clients');
    await console.heading(say('Clients'));
    await page
      .getByRole('button', { name: say('New client') })
      .first()
      .focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('קפה השכונה');
    await page.keyboard.press('Tab');
    await page.keyboard.type('514000025');
    await page.keyboard.press('Enter');
    await console.heading('קפה השכונה');
    expect(console.faults).toEqual([]);
  });

  if (language !== 'en') return;

  it('shows a viewer nothing that writes', async () => {
    const { body } = await service.request<{ key: string }>('POST', '/api-keys', {
      ...{ role: 'viewer', userName: 'Viewer' },
    });
    const page = await console.signIn('vendors', {}, body.key);
    await page.getByRole('link', { name: 'Paper House' }).waitFor();
    expect(await page.getByRole('button', { name: 'New vendor' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Paper House' }).click();
    await console.heading('Paper House');
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Pricelist' }).click();
    await page.getByText('Prices of this vendor').waitFor();
    await console.settled();
    expect(await page.getByRole('button', { name: /Paste|Replace/ }).count()).toBe(0);
    expect(await page.getByRole('textbox', { name: /SKU/ }).count()).toBe(0);
  });

  it.each(LOOKS)('every page is accessible and fits: %s', async (look, options) => {
    await console.signIn('', options);
    for (const [name, at] of [
      ['vendors', 'vendors'],
      ['clients-none', 'clients?search=nobody'],
      ['vendor', `vendors/${paper}`],
      ['client', `clients/${shop}`],
      ['pricelist', `vendors/${paper}/pricelist`],
      ['vendor-unknown', 'vendors/00000000-0000-4000-8000-000000000000'],
    ] as const) {
      await console.follow(at);
      expect({ at, ...(await console.flaws()) }).toEqual({ at, ...SOUND });
      await console.shoot(`${name}-${look}`);
    }
    expect(console.faults).toEqual([]);
  });
});
