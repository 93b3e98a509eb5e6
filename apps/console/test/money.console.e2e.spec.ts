import { type TestService, until } from '@counterfoil/test-harness';
import { LANGUAGES } from '../src/app/messages.ts';
import { type ConsoleBrowser, LOOKS } from './console-browser';
import { type Console, journeys } from './journeys';

const DAY_MS = 86_400_000;
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

let service: TestService;
let console: ConsoleBrowser;
/** One client, and one that may owe nothing more. */
let parties: { shop: number; strict: number };

async function create<Answer>(path: string, body: object): Promise<Answer> {
  const answer = await service.request<Answer>('POST', path, body);
  expect({ path, status: answer.status, body: answer.body }).toMatchObject({ status: 201 });
  return answer.body;
}

const newClient = async (name: string, more: object = {}) =>
  (await create<{ clientId: number }>('/clients/create', { name, type: 'COMPANY', ...more })).clientId;

async function charge(providerToken: string, amount: number, more: object = {}): Promise<number> {
  const { tokenId } = await create<{ tokenId: number }>('/gateway/tokens', {
    ...{ provider: 'sandbox', providerToken },
  });
  return (await create<{ chargeId: number }>('/gateway/charges', { tokenId, amount, ...more })).chargeId;
}

/** Published rates, as an operator imports them, and one of the company. */
async function giveRates(): Promise<void> {
  await service.database.query(
    `insert into exchange_rates (company_id, currency, date, rate, unit, created_at, updated_at)
     select null, c, current_date - d, round((3.6 + sin(d / 9.0) / 8)::numeric, 4), 1, now(), now()
       from unnest(array['USD', 'EUR', 'GBP']) c, generate_series(0, 120) d where d % 7 <> 2`,
  );
  const rates = [{ currency: 'JPY', date: dayFromNow(-1), rate: 1.971, unit: 100 }];
  expect((await service.request('PUT', '/exchange-rates', { rates })).status).toBe(200);
}

async function given(ready: Console): Promise<void> {
  ({ service, browser: console } = ready);
  parties = {
    shop: await newClient('Corner <b>Shop</b>', { taxId: '514000009' }),
    strict: await newClient('חנות הפינה', { taxId: '514000017' }),
  };
  const { body } = await service.request<{ data: { id: number; visibleId: string }[] }>('GET', '/clients');
  const strict = body.data.find(({ id }) => id === parties.strict);
  await service.request('PUT', `/clients/edit/${strict?.visibleId}`, { creditLimit: 1 });
}

journeys('money in the console', { given, languages: LANGUAGES }, (language, say) => {
  it('creates a retainer, shows what it issues and what is refused, and ends it', async () => {
    const page = await console.signIn('retainers');
    await page.getByText(say('No retainers yet')).waitFor();
    await page
      .getByRole('link', { name: say('New retainer') })
      .first()
      .click();
    await console.heading(say('New retainer'));
    const isReady = () => page.getByRole('button', { name: say.exactly('Create') }).isEnabled();
    expect(await isReady()).toBe(false);
    await page.getByRole('combobox', { name: say('Client or vendor') }).fill('corner');
    await page.getByRole('option', { name: 'Corner <b>Shop</b>' }).click();
    await page.getByLabel(say('How often')).selectOption('WEEKLY');
    await page.getByLabel(say('Next document')).fill(dayFromNow(-15));
    await page
      .getByText(say('Documents that are issued at once, because their days have passed: 3.'))
      .waitFor();
    await page.getByLabel(say('Type')).selectOption('TAX_INVOICE_RECEIPT');
    await page
      .getByText(
        say('This type counts as paid when it is issued. Choose it only if the money has arrived by then.'),
      )
      .waitFor();
    await page.getByLabel(say('Type')).selectOption('PROFORMA');
    await page.getByRole('textbox', { name: say('Description') }).fill('Support');
    await page.getByRole('textbox', { name: say('Unit price') }).fill('100');
    await console.shoot(`retainer-new-${language}`);
    expect(await console.problems()).toEqual([]);
    await page.getByRole('button', { name: say.exactly('Create') }).click();
    await page
      .getByRole('alertdialog')
      .getByText(say(`Proforma to Corner <b>Shop</b>: Every week, from {date} on.`))
      .waitFor();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: say('Create') })
      .click();
    await page.getByText(say('The retainer was created.')).waitFor();

    await create('/retainers/create', {
      ...{ entityId: parties.strict, documentType: 'TAX_INVOICE', interval: 'MONTHLY' },
      ...{ nextRunDate: dayFromNow(-1), items: [{ description: 'מנוי', quantity: 1, unitPrice: 100 }] },
    });
    await until(
      'a refusal, and documents',
      async () => {
        const { body } = await service.request<{ data: { refusal: unknown; lastDocument: unknown }[] }>(
          ...(['GET', '/retainers'] as const),
        );
        const [first, second] = body.data;
        return Boolean(first?.lastDocument && second?.refusal);
      },
      60_000,
    );
    await console.goto('');
    await page.getByRole('link', { name: say('Show: Refused retainers') }).click();
    await console.heading(say('Retainers'));
    await page
      .getByText(say('The client has reached its credit limit. Record a payment, or raise the limit.'))
      .waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('button', { name: say('Clear filters') }).click();
    await page.getByRole('link', { name: say('Proforma 3') }).waitFor();
    await console.shoot(`retainers-refused-${language}`);
    expect(await console.problems()).toEqual([]);
    await page.getByRole('button', { name: say('End the retainer of Corner <b>Shop</b>') }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: say('End') })
      .click();
    await page.getByText(say('The retainer was ended.')).waitFor();
    await page.getByRole('link', { name: say('Proforma 3') }).waitFor({ state: 'detached' });
    expect(console.faults).toEqual([]);
  });

  it('saves a card, holds an amount, takes a part, and refunds a part of that', async () => {
    const page = await console.signIn('payments');
    await page.getByText(say('The provider is a sandbox: no money moves.')).waitFor();
    await page.getByRole('link', { name: say('Saved cards') }).click();
    await page.getByText(say('No saved cards')).waitFor();
    await page.getByRole('button', { name: say('Save a card') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(say('Test card')).selectOption('tok_approved');
    await dialog.getByRole('combobox', { name: say('Client or vendor') }).fill('corner');
    await page.getByRole('option', { name: 'Corner <b>Shop</b>' }).click();
    await console.shoot(`card-new-${language}`);
    await dialog.getByRole('button', { name: say.exactly('Save') }).click();
    await page.getByText(say('The card was saved.')).waitFor();
    await page.getByText(say('VISA ending in 4242')).waitFor();
    await page.getByRole('link', { name: 'Corner <b>Shop</b>' }).waitFor();

    const invoice = await create<{ visibleId: string }>('/documents/create/tax-invoice', {
      ...{ entityId: parties.shop, items: [{ description: 'x', quantity: 1, unitPrice: 100 }] },
    });
    await page
      .getByRole('link', { name: say.exactly('Charges') })
      .first()
      .click();
    await page.getByRole('button', { name: say('New charge') }).click();
    await dialog.getByRole('textbox', { name: say('Amount') }).fill('1.234');
    await dialog.getByText(say('An amount above 0 with at most 2 decimals')).waitFor();
    await dialog.getByRole('textbox', { name: say('Amount') }).fill('118');
    await dialog.getByLabel(say('Take the money')).selectOption('later');
    await dialog.getByRole('combobox', { name: say('Document that it pays') }).click();
    await page.getByRole('option', { name: say('Tax invoice 1') }).click();
    await dialog
      .getByText(say('Type a number or a name. The charge changes no document: issue the receipt yourself.'))
      .waitFor();
    await console.shoot(`charge-new-${language}`);
    expect(await console.problems()).toEqual([]);
    await dialog.getByRole('button', { name: say.exactly('Charge the card') }).click();
    await page.getByText(say('The amount is held.')).waitFor();
    await console.heading(say('Charge 1'));
    await page
      .getByText(
        say(
          'A charge changes no document: it settles nothing, and amounts and clients are not compared. Issue the receipt yourself.',
        ),
      )
      .waitFor();
    await page.getByRole('link', { name: say('Issue the receipt') }).waitFor();

    await page.getByRole('button', { name: say('Take the money') }).click();
    await dialog.getByRole('textbox', { name: say('Amount') }).fill('118.01');
    await dialog.getByText(say('At most ₪118.00')).waitFor();
    await dialog.getByRole('textbox', { name: say('Amount') }).fill('80.1');
    await dialog.getByText(say('₪37.90 is released.')).waitFor();
    await console.shoot(`capture-${language}`);
    await dialog.getByRole('button', { name: say('Take the money') }).click();
    await page.getByText(say('The money was taken.')).waitFor();

    await page.getByRole('button', { name: say.exactly('Refund') }).click();
    await dialog.getByRole('textbox', { name: say('Amount') }).fill('30');
    await dialog.getByText(say('₪50.10 stays refundable.')).waitFor();
    await dialog.getByRole('textbox', { name: say('Reason') }).fill('Returned <i>in part</i>');
    await dialog.getByRole('button', { name: say.exactly('Refund') }).click();
    await page.getByText(say('The refund was made.')).waitFor();
    await page.getByText(say('Reason:')).filter({ hasText: 'Returned <i>in part</i>' }).waitFor();
    await console.shoot(`charge-${language}`);
    expect(await console.problems()).toEqual([]);
    const { body } = await service.request('GET', '/gateway/charges/1');
    expect(body).toMatchObject({ capturedAmount: 80.1, refundedAmount: 30, status: 'SUCCEEDED' });
    // As the page says, the document is unchanged.
    const paid = await service.request('GET', `/documents/id/${invoice.visibleId}`);
    expect(paid.body).toMatchObject({ status: 'OPEN', remainingAmount: 118 });
    expect(console.faults).toEqual([]);
  });

  it('refunds with the keyboard alone', async () => {
    const id = await charge('tok_approved', 50);
    const page = await console.signIn(`payments/charges/${id}`);
    await console.heading(say(`Charge ${id}`));
    await page.getByRole('button', { name: say.exactly('Refund') }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('20');
    await page.keyboard.press('Tab');
    await page.keyboard.type('הוחזר בחלקו');
    await console.shoot(`refund-${language}`);
    await page.keyboard.press('Enter');
    await page.getByText(say('The refund was made.')).waitFor();
    await page.getByText(say('Reason:')).filter({ hasText: 'הוחזר בחלקו' }).waitFor();
    const { body } = await service.request('GET', `/gateway/charges/${id}`);
    expect(body).toMatchObject({ refundedAmount: 20 });
    expect(console.faults).toEqual([]);
  });

  it('cancels a held charge, says why one was declined, and finds charges by state and card', async () => {
    const held = await charge('tok_authorize_only', 70);
    const declined = await charge('tok_declined', 60);
    const page = await console.signIn(`payments/charges/${held}`);
    await page.getByRole('button', { name: say.exactly('Cancel') }).click();
    await page
      .getByRole('alertdialog')
      .getByText(say('₪70.00 is released. No money is taken, and the charge cannot be resumed.'))
      .waitFor();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: say('Cancel') })
      .last()
      .click();
    await page.getByText(say('The charge was cancelled.')).waitFor();
    await console.goto('');
    await page.getByRole('link', { name: say('Show: Failed charges of this week') }).click();
    await page.getByRole('link', { name: say(`Charge ${declined}`) }).waitFor();
    await page.getByText(say('The card was declined.')).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('button', { name: say('Clear filters') }).click();
    await page
      .getByLabel(say.exactly('Card'))
      .selectOption({ label: `${say.plain('AMEX ending in 0005')} (3)` });
    await page.getByRole('link', { name: say(`Charge ${held}`) }).waitFor();
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
    expect(console.faults).toEqual([]);
  });

  it('creates a payment page and copies its link, makes and ends a recurring payment, removes a card', async () => {
    const page = await console.signIn('payments/pages');
    await page.getByRole('button', { name: say('New payment page') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: say('What it is for') }).fill('Order 7 <script>');
    await dialog.getByRole('textbox', { name: say('Amount') }).fill('59.9');
    await dialog.getByRole('button', { name: say('Create') }).click();
    await dialog.getByText('/gateway/sandbox/pages/').waitFor();
    await console.shoot(`payment-page-made-${language}`);
    expect(await console.problems()).toEqual([]);
    await dialog.getByRole('button', { name: say('Done') }).click();
    await page.getByText('Order 7 <script>').waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: say('Copy the link of page 1') }).click();
    await page
      .getByRole('button', { name: `${say.plain('Copy the link of page 1')}: ${say.plain('Copied')}` })
      .waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(
      /\/gateway\/sandbox\/pages\/.+/,
    );

    await page.getByRole('link', { name: say('Recurring payments') }).click();
    await page.getByRole('button', { name: say('New recurring payment') }).click();
    await dialog.getByRole('textbox', { name: say('Amount') }).fill('59');
    await dialog.getByLabel(say('Next charge')).fill(dayFromNow(-40));
    await dialog
      .getByText(
        say(
          'This day has passed: each date since is charged at once. Choose a later one, unless you mean it.',
        ),
      )
      .waitFor();
    await dialog.getByLabel(say('Next charge')).fill(dayFromNow(20));
    await dialog.getByRole('button', { name: say('Create') }).click();
    await page.getByText(say('The recurring payment was created.')).waitFor();
    await page.getByText(say('Every month')).waitFor();
    await page.getByRole('button', { name: say('End recurring payment {id}') }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: say('End') })
      .click();
    await page.getByText(say('No recurring payments yet')).waitFor();
    // The table is gone with its only row, and the button in it.
    await until(
      'the content to be focused',
      async () => (await page.evaluate<string>('document.activeElement.id')) === 'content',
    );

    await page.getByRole('link', { name: say('Saved cards') }).click();
    await page.getByRole('button', { name: say('Remove VISA ending in 0002 (4)') }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: say('Remove') })
      .click();
    await page.getByText(say('The card was removed.')).waitFor();
    await page.getByText(say('VISA ending in 0002')).waitFor({ state: 'detached' });
    expect(console.faults).toEqual([]);
  });

  it('refunds once what is sent again after its answer was lost, and says in the form what was refused', async () => {
    const id = await charge('tok_approved', 50);
    const page = await console.signIn(`payments/charges/${id}`);
    let isLost = true;
    let asked = 0;
    await page.route('**/refund', async (route) => {
      asked += 1;
      const response = await route.fetch();
      await (isLost ? route.abort() : route.fulfill({ response }));
    });
    await page.getByRole('button', { name: say.exactly('Refund') }).click();
    const dialog = page.getByRole('dialog');
    await page.keyboard.press('Enter');
    expect(asked).toBe(0);
    await dialog.getByRole('textbox', { name: say('Amount') }).fill('20');
    await page.keyboard.press('Escape');
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: say('Stay') })
      .click();
    await dialog.getByRole('button', { name: say.exactly('Refund') }).click();
    await page.keyboard.press('Escape');
    expect(await dialog.getByRole('button', { name: say('Cancel') }).isDisabled()).toBe(true);
    await dialog.getByText('CONNECTION_FAILED').waitFor();
    isLost = false;
    await dialog.getByRole('button', { name: say.exactly('Refund') }).click();
    await page.getByText(say('The refund was made.')).waitFor();
    const { body } = await service.request('GET', `/gateway/charges/${id}`);
    expect(body).toMatchObject({ refundedAmount: 20 });

    const refused = await charge('tok_refund_declined', 40);
    await console.goto(`payments/charges/${refused}`);
    await page.getByRole('button', { name: say.exactly('Refund') }).click();
    await dialog.getByRole('button', { name: say('All, ₪40.00') }).click();
    await dialog.getByRole('button', { name: say.exactly('Refund') }).click();
    const alert = dialog.getByRole('alert');
    await alert.getByText(say('The provider declined. The charge is as it was.')).waitFor();
    expect(await alert.locator('[lang], .error-title').count()).toBe(0);
  });

  it('says that the gateway is off, and offers nothing then', async () => {
    const page = await console.signIn('');
    const none = { data: [], pagination: { total: 0, page: 1, pageSize: 0, totalPages: 0, hasMore: false } };
    await page.route('**/gateway/providers', (route) => route.fulfill({ json: none }));
    for (const at of ['payments', 'payments/cards', 'payments/pages', 'payments/recurring']) {
      await console.goto(at);
      await page.getByText(say('The payment gateway is off')).waitFor();
      for (const name of ['New charge', 'Save a card', 'New payment page', 'New recurring payment'])
        expect(await page.getByRole('button', { name: say(name) }).count()).toBe(0);
    }
    await console.shoot(`payments-off-${language}`);
  });

  it('saves an own rate, and plots the rates of a currency beside their table', async () => {
    const page = await console.signIn('rates');
    await page.getByText(say('No rates yet')).waitFor();
    await giveRates();
    await page.getByRole('button', { name: say('Save an own rate') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: say('Currency') }).fill('usd');
    await dialog.getByRole('textbox', { name: say('Rate') }).fill('3.07251');
    await dialog.getByText(say('Above 0, with at most 4 decimals')).waitFor();
    await dialog.getByRole('textbox', { name: say('Rate') }).fill('3.6725');
    await dialog.getByRole('button', { name: say.exactly('Save') }).click();
    await page.getByText(say('The rate was saved.')).waitFor();
    await page.getByRole('row', { name: /JPY/ }).getByText('100').waitFor();
    await page.getByRole('link', { name: 'USD', exact: true }).click();
    const shown =
      'Rates of USD from {from} to {to}: from {low} to {high} shekels, at last {last}. The table below has all values.';
    const name = await page.getByRole('img', { name: say(shown) }).getAttribute('aria-label');
    expect(name).toMatch(/3\.\d{4}\D+3\.\d{4}/);
    await page.getByLabel(say('Period')).selectOption('30');
    await page.getByText(say('If a day has a published rate and your own, yours is used.')).waitFor();
    const { body } = await service.request<{ pagination: { total: number } }>(
      ...(['GET', `/exchange-rates?currency=USD&startDate=${dayFromNow(-30)}`] as const),
    );
    await until('the rows of the table', async () => {
      const rows = await page
        .getByRole('region', { name: say('All values') })
        .last()
        .getByRole('row')
        .count();
      return Math.abs(rows - 1 - body.pagination.total) <= 1;
    });
    await console.shoot(`rates-usd-${language}`);
    expect(await console.problems()).toEqual([]);
    expect(console.faults).toEqual([]);
  });

  it('tells the changes of documents in words, and new ones as they happen', async () => {
    const page = await console.signIn('changes');
    await page.getByText(say('Tax invoice 1')).first().waitFor();
    await page.getByText(say('Tax invoice 1 was issued.')).waitFor();
    const { body } = await service.request<{ data: { id: number }[] }>('GET', '/documents?type=TAX_INVOICE');
    const documentId = body.data[0]!.id;
    const receipt = await create<{ visibleId: string }>('/documents/create/receipt', {
      ...{ entityId: parties.shop, payments: [{ method: 'CASH', amount: 18 }] },
      allocations: [{ documentId, amount: 18 }],
    });
    await page.getByRole('button', { name: say('Look for newer changes') }).click();
    await page.getByText(say('Tax invoice 1 was paid in part. ₪100.00 is open.')).waitFor();
    await page.getByText(say('Receipt 1 was issued.')).waitFor();
    await service.request('POST', `/documents/cancel/${receipt.visibleId}`, { reason: 'Recorded twice' });
    await page.getByRole('button', { name: say('Look for newer changes') }).click();
    const cancelled = page.getByText(say('Receipt 1 was cancelled.')).filter({ hasText: say('Reason:') });
    await cancelled.filter({ hasText: 'Recorded twice' }).waitFor();
    await page.getByText(say('Tax invoice 1 was changed. {remaining} is open.')).waitFor();
    await console.shoot(`changes-${language}`);
    await page.getByRole('link', { name: say('Receipt 1') }).click();
    await console.heading(say('Receipt 1'));
    expect(console.faults).toEqual([]);
  });

  it('leads from Today to lists that are already filtered', async () => {
    const { productId } = await create<{ productId: number }>('/products/create', {
      ...{ name: 'Paper A4', sku: 'A4', unit: 'box' },
    });
    const { warehouseId } = await create<{ warehouseId: number }>('/warehouses/create', {
      name: 'Main',
    });
    await create('/inventory/create', { productId, warehouseId, lowStockThreshold: 10 });
    await create('/documents/create/tax-invoice', {
      ...{ entityId: parties.shop, issueDate: dayFromNow(-40), dueDate: dayFromNow(-30) },
      items: [{ description: 'x', quantity: 1, unitPrice: 7 }],
    });
    const page = await console.signIn('');
    await console.settled();
    await console.shoot(`today-urgent-${language}`);
    expect(
      await page
        .getByRole('listitem')
        .filter({ hasText: say('Overdue documents') })
        .innerText(),
    ).toContain('1');
    await page.getByRole('link', { name: say('Show: Overdue documents') }).click();
    await page.getByRole('link', { name: say('Tax invoice 2') }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await console.goto('');
    await page.getByRole('link', { name: say('Show: Low stock') }).click();
    await page.getByRole('link', { name: 'Paper A4' }).waitFor();
    for (const [tile, heading] of [
      ['Refused allocation numbers', 'Documents'],
      ['Awaited allocation numbers', 'Documents'],
      ['Mails of this week that were not delivered', 'Sent mails'],
      ['Deliveries that failed since yesterday', 'Webhooks'],
    ] as const) {
      await console.goto('');
      await page.getByRole('link', { name: say(`Show: ${tile}`) }).click();
      await console.heading(say(heading));
      await console.settled();
    }
    expect(console.faults).toEqual([]);
  });

  if (language !== 'en') return;

  it('shows a viewer nothing that writes', async () => {
    const { key } = await create<{ key: string }>('/api-keys', { role: 'viewer', userName: 'Viewer' });
    const page = await console.signIn('retainers', {}, key);
    await page.getByRole('link', { name: 'חנות הפינה' }).waitFor();
    expect(await page.getByRole('link', { name: 'New retainer' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^End/ }).count()).toBe(0);
    for (const [at, there] of [
      ['payments', 'Charge 1'],
      ['payments/charges/1', 'Amounts'],
      ['payments/cards', 'VISA ending in 4242'],
      ['payments/pages', 'Order 7'],
      ['payments/recurring', 'No recurring payments yet'],
      ['rates', 'Currencies'],
      ['changes', 'Tax invoice 1'],
      ['retainers/new', 'Your role may not open this page'],
      ['documents/new', 'Your role may not open this page'],
    ] as const) {
      await console.goto(at);
      await page.getByText(there).first().waitFor();
      const writing = /^(New|Save|Remove|End|Refund|Take|Cancel|Charge$)/;
      expect({ at, buttons: await page.getByRole('button', { name: writing }).count() }).toEqual({
        at,
        buttons: 0,
      });
    }
    expect(console.faults).toEqual([]);
  });

  it.each(LOOKS)('every page is accessible and fits: %s', async (look, options) => {
    await console.signIn('', options);
    for (const [name, at] of [
      ['today', ''],
      ['retainers', 'retainers'],
      ['retainer-new', 'retainers/new'],
      ['charges', 'payments'],
      ['charges-none', 'payments?status=PENDING'],
      ['charge', 'payments/charges/1'],
      ['charge-unknown', 'payments/charges/999'],
      ['cards', 'payments/cards'],
      ['payment-pages', 'payments/pages'],
      ['recurring', 'payments/recurring'],
      ['rates', 'rates'],
      ['rates-usd', 'rates?currency=USD&days=90'],
      ['rates-none', 'rates?currency=CHF'],
      ['changes', 'changes'],
      ['mails', 'mails'],
      ['documents-overdue', `documents?overdueOn=${dayFromNow(0)}`],
      ['stock-low', 'stock?isLow=true'],
    ] as const) {
      await console.follow(at);
      await console.settled();
      await console.shoot(`${name}-${look}`);
      expect({ at, problems: await console.problems() }).toEqual({ at, problems: [] });
      expect({ at, overflow: await console.overflow() }).toEqual({ at, overflow: 0 });
    }
    expect(console.faults.filter((fault) => !fault.includes('404'))).toEqual([]);
  });
});
