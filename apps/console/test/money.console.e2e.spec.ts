import { type TestService, until } from '@counterfoil/test-harness';
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

journeys('money in the console', { given }, () => {
  it('creates a retainer, shows what it issues and what is refused, and ends it', async () => {
    const page = await console.signIn('retainers');
    await page.getByText('No retainers yet').waitFor();
    await page.getByRole('link', { name: 'New retainer' }).first().click();
    await console.heading('New retainer');
    const isReady = () => page.getByRole('button', { name: 'Create', exact: true }).isEnabled();
    expect(await isReady()).toBe(false);
    await page.getByRole('combobox', { name: 'Client or vendor' }).fill('corner');
    await page.getByRole('option', { name: 'Corner <b>Shop</b>' }).click();
    await page.getByLabel('How often').selectOption('WEEKLY');
    await page.getByLabel('Next document').fill(dayFromNow(-15));
    await page.getByText('issued at once, because their days have passed: 3.').waitFor();
    await page.getByLabel('Type').selectOption('TAX_INVOICE_RECEIPT');
    await page.getByText('counts as paid when it is issued').waitFor();
    await page.getByLabel('Type').selectOption('PROFORMA');
    await page.getByRole('textbox', { name: 'Description' }).fill('Support');
    await page.getByRole('textbox', { name: 'Unit price' }).fill('100');
    await console.shoot('retainer-new-en');
    expect(await console.problems()).toEqual([]);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('alertdialog').getByText('Proforma to Corner <b>Shop</b>: Every week').waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText('The retainer was created.').waitFor();

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
    await page.getByRole('link', { name: 'Show: Refused retainers' }).click();
    await console.heading('Retainers');
    await page.getByText('The client has reached its credit limit.').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: 'Proforma 3' }).waitFor();
    await console.shoot('retainers-refused-en');
    expect(await console.problems()).toEqual([]);
    await page.getByRole('button', { name: 'End the retainer of Corner <b>Shop</b>' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click();
    await page.getByText('The retainer was ended.').waitFor();
    await page.getByRole('link', { name: 'Proforma 3' }).waitFor({ state: 'detached' });
    expect(console.faults).toEqual([]);
  });

  it('saves a card, holds an amount, takes a part, and refunds a part of that', async () => {
    const page = await console.signIn('payments');
    await page.getByText('no money moves').waitFor();
    await page.getByRole('link', { name: 'Saved cards' }).click();
    await page.getByText('No saved cards').waitFor();
    await page.getByRole('button', { name: 'Save a card' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Test card').selectOption('tok_approved');
    await console.shoot('card-new-en');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The card was saved.').waitFor();
    await page.getByText('VISA ending in 4242').waitFor();

    const invoice = await create<{ visibleId: string }>('/documents/create/tax-invoice', {
      ...{ entityId: parties.shop, items: [{ description: 'x', quantity: 1, unitPrice: 100 }] },
    });
    await page.getByRole('link', { name: 'Charges', exact: true }).first().click();
    await page.getByRole('button', { name: 'New charge' }).click();
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('1.234');
    await dialog.getByText('at most 2 decimals').waitFor();
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('118');
    await dialog.getByLabel('Take the money').selectOption('later');
    await dialog.getByRole('combobox', { name: 'Document that it pays' }).click();
    await page.getByRole('option', { name: /^Tax invoice 1/ }).click();
    await dialog.getByText('The charge changes no document').waitFor();
    await console.shoot('charge-new-en');
    expect(await console.problems()).toEqual([]);
    await dialog.getByRole('button', { name: 'Charge', exact: true }).click();
    await page.getByText('The amount is held.').waitFor();
    await console.heading('Charge 1');
    await page.getByText('A charge changes no document').waitFor();
    await page.getByRole('link', { name: 'Issue the receipt' }).waitFor();

    await page.getByRole('button', { name: 'Take the money' }).click();
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('118.01');
    await dialog.getByText('At most ₪118.00').waitFor();
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('80.1');
    await dialog.getByText('₪37.90 is released.').waitFor();
    await console.shoot('capture-en');
    await dialog.getByRole('button', { name: 'Take the money' }).click();
    await page.getByText('The money was taken.').waitFor();

    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('30');
    await dialog.getByText('₪50.10 stays refundable.').waitFor();
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Returned <i>in part</i>');
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    await page.getByText('The refund was made.').waitFor();
    await page.getByText('Reason: Returned <i>in part</i>').waitFor();
    await console.shoot('charge-en');
    expect(await console.problems()).toEqual([]);
    const { body } = await service.request('GET', '/gateway/charges/1');
    expect(body).toMatchObject({ capturedAmount: 80.1, refundedAmount: 30, status: 'SUCCEEDED' });
    // As the page says, the document is unchanged.
    const paid = await service.request('GET', `/documents/id/${invoice.visibleId}`);
    expect(paid.body).toMatchObject({ status: 'OPEN', remainingAmount: 118 });
    expect(console.faults).toEqual([]);
  });

  it('refunds with the keyboard alone, in Hebrew', async () => {
    const id = await charge('tok_approved', 50);
    const page = await console.signIn(`payments/charges/${id}`, { locale: 'he-IL' });
    await console.heading(`חיוב ${id}`);
    await page.getByRole('button', { name: 'החזר' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('20');
    await page.keyboard.press('Tab');
    await page.keyboard.type('הוחזר בחלקו');
    await console.shoot('refund-he');
    await page.keyboard.press('Enter');
    await page.getByText('ההחזר בוצע.').waitFor();
    await page.getByText('סיבה: הוחזר בחלקו').waitFor();
    const { body } = await service.request('GET', `/gateway/charges/${id}`);
    expect(body).toMatchObject({ refundedAmount: 20 });
    expect(console.faults).toEqual([]);
  });

  it('cancels a held charge, says why one was declined, and finds charges by state and card', async () => {
    const held = await charge('tok_authorize_only', 70);
    const declined = await charge('tok_declined', 60);
    const page = await console.signIn(`payments/charges/${held}`);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('alertdialog').getByText('₪70.00 is released.').waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).last().click();
    await page.getByText('The charge was cancelled.').waitFor();
    await console.goto('');
    await page.getByRole('link', { name: 'Show: Failed charges' }).click();
    await page.getByRole('link', { name: `Charge ${declined}` }).waitFor();
    await page.getByText('The card was declined.').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Card', { exact: true }).selectOption({ label: 'AMEX ending in 0005 (3)' });
    await page.getByRole('link', { name: `Charge ${held}` }).waitFor();
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
    expect(console.faults).toEqual([]);
  });

  it('creates a payment page and copies its link, makes and ends a recurring payment, removes a card', async () => {
    const page = await console.signIn('payments/pages');
    await page.getByRole('button', { name: 'New payment page' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'What it is for' }).fill('Order 7 <script>');
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('59.9');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('/gateway/sandbox/pages/').waitFor();
    await console.shoot('payment-page-made-en');
    expect(await console.problems()).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Order 7 <script>').waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the link of page 1' }).click();
    await page.getByRole('button', { name: 'Copy the link of page 1: Copied' }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(
      /\/gateway\/sandbox\/pages\/.+/,
    );

    await page.getByRole('link', { name: 'Recurring payments' }).click();
    await page.getByRole('button', { name: 'New recurring payment' }).click();
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('59');
    await dialog.getByLabel('Next charge').fill(dayFromNow(-40));
    await dialog.getByText('each date since is charged at once').waitFor();
    await dialog.getByLabel('Next charge').fill(dayFromNow(20));
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByText('The recurring payment was created.').waitFor();
    await page.getByText('Every month').waitFor();
    await page.getByRole('button', { name: /^End recurring payment/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click();
    await page.getByText('No recurring payments yet').waitFor();

    await page.getByRole('link', { name: 'Saved cards' }).click();
    await page.getByRole('button', { name: 'Remove VISA ending in 0002 (4)' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The card was removed.').waitFor();
    await page.getByText('VISA ending in 0002').waitFor({ state: 'detached' });
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
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await page.keyboard.press('Enter');
    expect(asked).toBe(0);
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('20');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click();
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    await page.keyboard.press('Escape');
    expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    await dialog.getByText('CONNECTION_FAILED').waitFor();
    isLost = false;
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    await page.getByText('The refund was made.').waitFor();
    const { body } = await service.request('GET', `/gateway/charges/${id}`);
    expect(body).toMatchObject({ refundedAmount: 20 });

    const refused = await charge('tok_refund_declined', 40);
    await console.goto(`payments/charges/${refused}`);
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog.getByRole('button', { name: 'All, ₪40.00' }).click();
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog.getByRole('alert').getByText('The provider declined.').waitFor();
  });

  it('says that the gateway is off, and offers nothing then', async () => {
    const page = await console.signIn('');
    const none = { data: [], pagination: { total: 0, page: 1, pageSize: 0, totalPages: 0, hasMore: false } };
    await page.route('**/gateway/providers', (route) => route.fulfill({ json: none }));
    for (const at of ['payments', 'payments/cards', 'payments/pages', 'payments/recurring']) {
      await console.goto(at);
      await page.getByText('The payment gateway is off').waitFor();
      expect(await page.getByRole('button', { name: /^(New|Save)/ }).count()).toBe(0);
    }
    await console.shoot('payments-off-en');
  });

  it('saves an own rate, and plots the rates of a currency beside their table', async () => {
    const page = await console.signIn('rates');
    await page.getByText('No rates yet').waitFor();
    await giveRates();
    await page.getByRole('button', { name: 'Save an own rate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Currency' }).fill('usd');
    await dialog.getByRole('textbox', { name: 'Rate' }).fill('3.07251');
    await dialog.getByText('Above 0, with at most 4 decimals').waitFor();
    await dialog.getByRole('textbox', { name: 'Rate' }).fill('3.6725');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The rate was saved.').waitFor();
    await page.getByRole('row', { name: /JPY/ }).getByText('100').waitFor();
    await page.getByRole('link', { name: 'USD', exact: true }).click();
    await page.getByRole('img', { name: /^Rates of USD from .* to .*: from 3\.\d{4} to 3\.\d{4}/ }).waitFor();
    await page.getByLabel('Time').selectOption('30');
    await page.getByText('Of the same day, the own rate counts.').waitFor();
    const { body } = await service.request<{ pagination: { total: number } }>(
      ...(['GET', `/exchange-rates?currency=USD&startDate=${dayFromNow(-30)}`] as const),
    );
    await until('the rows of the table', async () => {
      const rows = await page.getByRole('region', { name: 'All values' }).last().getByRole('row').count();
      return Math.abs(rows - 1 - body.pagination.total) <= 1;
    });
    await console.shoot('rates-usd-en');
    expect(await console.problems()).toEqual([]);
    expect(console.faults).toEqual([]);
  });

  it('tells the changes of documents in words, and new ones as they happen', async () => {
    const page = await console.signIn('changes');
    await page.getByText('Tax invoice 1').first().waitFor();
    await page.getByText('Tax invoice 1 was issued.').waitFor();
    const { body } = await service.request<{ data: { id: number }[] }>('GET', '/documents?type=TAX_INVOICE');
    const documentId = body.data[0]!.id;
    const receipt = await create<{ visibleId: string }>('/documents/create/receipt', {
      ...{ entityId: parties.shop, payments: [{ method: 'CASH', amount: 18 }] },
      allocations: [{ documentId, amount: 18 }],
    });
    await page.getByRole('button', { name: 'Look for newer changes' }).click();
    await page.getByText('Tax invoice 1 was paid in part. ₪100.00 is open.').waitFor();
    await page.getByText('Receipt 1 was issued.').waitFor();
    await service.request('POST', `/documents/cancel/${receipt.visibleId}`, { reason: 'Recorded twice' });
    await page.getByRole('button', { name: 'Look for newer changes' }).click();
    await page.getByText('Receipt 1 was cancelled. Reason: Recorded twice').waitFor();
    await page.getByText('Tax invoice 1 is open again').waitFor();
    await console.shoot('changes-en');
    await page.getByRole('link', { name: 'Receipt 1' }).click();
    await console.heading('Receipt 1');
    expect(console.faults).toEqual([]);
  });

  it('leads from Today to lists that are already filtered', async () => {
    const { productId } = await create<{ productId: number }>('/products/create', {
      ...{ name: 'Paper A4', sku: 'A4', unit: 'box' },
    });
    const { warehouseId } = await create<{ warehouseId: number }>('/warehouses/create', { name: 'Main' });
    await create('/inventory/create', { productId, warehouseId, lowStockThreshold: 10 });
    await create('/documents/create/tax-invoice', {
      ...{ entityId: parties.shop, issueDate: dayFromNow(-40), dueDate: dayFromNow(-30) },
      items: [{ description: 'x', quantity: 1, unitPrice: 7 }],
    });
    const page = await console.signIn('');
    await console.settled();
    await console.shoot('today-urgent-en');
    expect(await page.getByRole('listitem').filter({ hasText: 'Overdue documents' }).innerText()).toContain(
      '1',
    );
    await page.getByRole('link', { name: 'Show: Overdue documents' }).click();
    await page.getByRole('link', { name: 'Tax invoice 2' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await console.goto('');
    await page.getByRole('link', { name: 'Show: Low stock' }).click();
    await page.getByRole('link', { name: 'Paper A4' }).waitFor();
    for (const [tile, heading] of [
      ['Refused allocation numbers', 'Documents'],
      ['Awaited allocation numbers', 'Documents'],
      ['Mails of this week that were not delivered', 'Sent mails'],
      ['Deliveries that failed since yesterday', 'Webhooks'],
    ] as const) {
      await console.goto('');
      await page.getByRole('link', { name: `Show: ${tile}` }).click();
      await console.heading(heading);
      await console.settled();
    }
    expect(console.faults).toEqual([]);
  });

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
      await console.goto(at);
      await console.settled();
      await console.shoot(`${name}-${look}`);
      expect({ at, problems: await console.problems() }).toEqual({ at, problems: [] });
      expect({ at, overflow: await console.overflow() }).toEqual({ at, overflow: 0 });
    }
    expect(console.faults.filter((fault) => !fault.includes('404'))).toEqual([]);
  });
});
