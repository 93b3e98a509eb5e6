import { type TestService, until } from '@counterfoil/test-harness';
import { LANGUAGES } from '../src/app/messages.ts';
import { type ConsoleBrowser, LOOKS, SOUND } from './console-browser';
import { type Console, journeys } from './journeys';
import type { Say } from './words';

let service: TestService;
let console: ConsoleBrowser;
let shop: { clientId: number; visibleId: string };

async function create<Answer>(path: string, body: object): Promise<Answer> {
  const answer = await service.request<Answer>('POST', path, body);
  expect(answer.status).toBe(201);
  return answer.body;
}

async function given(ready: Console): Promise<void> {
  ({ service, browser: console } = ready);
  shop = await create('/clients/create', {
    ...{ name: 'Corner <b>Shop</b>', taxId: '514000009', type: 'COMPANY', email: 'shop@example.com' },
  });
  await create('/products/create', {
    ...{ name: 'Paper A4', sku: 'A4', unit: 'box', buyingPrice: 20 },
  });
  for (const name of ['Main warehouse', 'חנות']) await create('/warehouses/create', { name });
}

/** Confirms an issue in the dialog, which names the document, its client, its total and its day. */
async function confirms(say: Say, [type, total]: readonly [type: string, total: string]): Promise<void> {
  const dialog = console.page.getByRole('alertdialog');
  const facts = dialog.getByRole('definition');
  for (const text of [say.exactly(type), 'Corner <b>Shop</b>', total, String(new Date().getFullYear())])
    await facts.filter({ hasText: text }).first().waitFor();
  await dialog.getByRole('button', { name: say('Issue') }).click();
}

journeys('documents and stock in the console', { given, languages: LANGUAGES }, (language, say) => {
  it('issues an invoice with a live preview, pays a part and credits the rest', async () => {
    const page = await console.signIn('documents');
    await page.getByText(say('No documents yet')).waitFor();
    await page
      .getByRole('link', { name: say('Issue a document') })
      .first()
      .click();
    await console.heading(say('Issue a document'));
    const client = page.getByRole('combobox', { name: say('Client or vendor') });
    await client.fill('nobody');
    await page.getByText(say('Nothing found')).waitFor();
    await client.press('Tab');
    expect(await client.inputValue()).toBe('');
    await client.fill('corner');
    await page.getByRole('option', { name: 'Corner <b>Shop</b>' }).click();
    await client.fill('nobody');
    await client.press('Tab');
    expect(await client.inputValue()).toBe('Corner <b>Shop</b>');
    await page.getByRole('textbox', { name: say('Description') }).fill('Consulting');
    await page.getByRole('textbox', { name: say('Quantity') }).fill('2');
    await page.getByRole('textbox', { name: say('Unit price') }).fill('150');
    const preview = page.getByRole('complementary', { name: say('Preview') });
    await preview.getByText('354.00').waitFor();
    await page.getByRole('textbox', { name: say('Discount, %') }).fill('101');
    await preview.getByText(say('It would be refused')).waitFor();
    await page.getByText('VALIDATION_FAILED').waitFor();
    await page.getByRole('textbox', { name: say('Discount, %') }).fill('');
    await preview.getByText('354.00').waitFor();
    await console.shoot(`issue-${language}`);
    expect(await console.problems()).toEqual([]);
    console.faults = console.faults.filter((fault) => !fault.includes('400'));
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: say('Download the page') }).click();
    expect((await saved).suggestedFilename()).toBe('preview.html');
    await page.getByRole('button', { name: say.exactly('Issue') }).click();
    await confirms(say, ['Tax invoice', '354.00']);
    await console.heading(say('Tax invoice 1'));

    await page.getByRole('link', { name: say('Record a payment') }).click();
    await page.getByText(say('Pays Tax invoice 1.')).waitFor();
    const paid = page.getByRole('textbox', { name: say('Amount for Tax invoice 1') });
    await paid.fill('1,00');
    await page.getByText(say('A number, such as 1,250.50')).waitFor();
    await preview.getByText(say('Choose a client and enter a payment: the receipt appears here.')).waitFor();
    await paid.fill('100');
    await page.getByRole('textbox', { name: say.exactly('Amount') }).fill('100');
    await preview
      .getByText(say('Pays'))
      .filter({ hasText: say('Tax invoice 1') })
      .filter({ hasText: say('₪100.00') })
      .waitFor();
    await page.getByRole('button', { name: say.exactly('Issue') }).click();
    await confirms(say, ['Receipt', '100.00']);
    await console.heading(say('Receipt 1'));
    await page.getByRole('link', { name: say('Tax invoice 1') }).click();
    await page.getByText(say('Partly paid')).waitFor();
    await page.getByRole('definition').filter({ hasText: '254.00' }).waitFor();

    await page.getByRole('link', { name: say('Record a payment') }).click();
    expect(await paid.inputValue()).toBe('254');
    await page.goBack();

    await page.getByRole('link', { name: say.exactly('Credit') }).click();
    await page
      .getByText(say('Credits Tax invoice 1. Change quantities or prices to credit a part.'))
      .waitFor();
    await preview.getByText('354.00').waitFor();
    await page.getByRole('button', { name: say.exactly('Issue') }).click();
    await confirms(say, ['Credit invoice', '354.00']);
    await console.heading(say('Credit invoice 1'));
    await page.getByRole('link', { name: say('Tax invoice 1') }).click();
    await page.getByText(say.exactly('Closed')).waitFor();
    const links = page.getByRole('listitem');
    await links
      .filter({ hasText: say('Paid by') })
      .getByRole('link', { name: say('Receipt 1') })
      .waitFor();
    await links
      .filter({ hasText: say('Credited by') })
      .filter({ hasText: '354.00' })
      .getByRole('link', { name: say('Credit invoice 1') })
      .waitFor();
    await console.shoot(`document-closed-${language}`);
    const { body } = await service.request<{ data: { type: string }[] }>('GET', '/documents');
    expect(body.data.map(({ type }) => type).sort()).toEqual(['RECEIPT', 'REFUND', 'TAX_INVOICE']);
    expect(console.faults).toEqual([]);
  });

  it('finds the documents of a client by its name, which the filter shows after a reload', async () => {
    const other = await create<{ clientId: number }>('/clients/create', {
      ...{ name: 'Without documents', taxId: '514000017', type: 'COMPANY' },
    });
    const page = await console.signIn('documents');
    const filter = page.getByRole('combobox', { name: say('Client or vendor') });
    await filter.fill('corner');
    await page.getByRole('option', { name: 'Corner <b>Shop</b>' }).click();
    await page.waitForURL(`**/documents?entityId=${shop.clientId}`);
    await page.reload();
    await page.getByRole('link', { name: say('Tax invoice 1') }).waitFor();
    expect(await filter.inputValue()).toBe('Corner <b>Shop</b>');
    for (const at of ['documents', 'payments']) {
      await console.goto(`${at}?entityId=${other.clientId}`);
      await until('the name', async () => (await filter.inputValue()) === 'Without documents', 30_000);
    }
    expect(console.faults).toEqual([]);
  });

  it('keeps the question to issue while the preview is read again, and asks before the page is left', async () => {
    const page = await console.signIn(`documents/new?client=${shop.visibleId}`);
    await page.getByRole('textbox', { name: say('Description') }).fill('Consulting');
    await page.getByRole('textbox', { name: say('Quantity') }).fill('1');
    await page.getByRole('textbox', { name: say('Unit price') }).fill('150');
    await page.getByRole('button', { name: say.exactly('Issue') }).click();
    await page.getByRole('alertdialog').waitFor();
    await page.clock.setFixedTime(Date.now() + 60_000);
    const again = page.waitForResponse('**/documents/preview');
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await again;
    await page.getByRole('alertdialog').getByText('177.00').waitFor();
    await page.keyboard.press('Escape');
    await console.gone('[role=alertdialog]');
    const notes = page.getByRole('textbox', { name: say('Notes') });
    await notes.fill('Not saved');
    const question = page.getByRole('alertdialog');
    await page.getByRole('link', { name: say('Company') }).click();
    await question.getByRole('button', { name: say('Stay') }).click();
    await page.locator('.company').click();
    await page.getByRole('menuitem', { name: say('Sign out') }).click();
    await question.getByText(say('Leave without saving?')).waitFor();
    expect(await console.problems()).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await notes.inputValue()).toBe('Not saved');
    await page.locator('.company').click();
    await page.getByRole('menuitem', { name: say('Sign out') }).click();
    await question.getByRole('button', { name: say('Leave') }).click();
    await page.getByRole('heading', { name: say('Sign in to Counterfoil') }).waitFor();
    expect(console.faults.filter((fault) => !fault.includes('400'))).toEqual([]);
  });

  it('downloads the PDF of a document, sends it and shares it', async () => {
    const { visibleId } = await create<{ visibleId: string }>('/documents/create/quote', {
      ...{ entityId: shop.clientId, notes: 'הערה', items: [{ description: 'x', quantity: 1, unitPrice: 1 }] },
    });
    const page = await console.signIn(`documents/${visibleId}`);
    await console.heading(say('Quote 1'));
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: say('PDF') }).click();
    expect((await saved).suggestedFilename()).toBe('quote-1.pdf');
    await page.getByRole('button', { name: say('Send by e-mail') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: say('Send by e-mail') }).click();
    await page.getByText(say('Mails in the queue: 1. Marked as: Original')).waitFor();
    await page.getByText(say('No links were made yet.')).waitFor();
    await page.getByRole('button', { name: say('Share a link') }).click();
    await dialog.getByRole('button', { name: say('Share a link') }).click();
    expect(await dialog.locator('.sample pre').textContent()).toContain('/d/');
    await dialog.getByText(say('Opens until {time}. Marked as: Original')).waitFor();
    await console.shoot(`document-share-${language}`);
    expect(await console.problems()).toEqual([]);
    const { body } = await service.request<{ data: { recipient: string }[] }>('GET', '/mails');
    expect(body.data).toEqual([expect.objectContaining({ recipient: 'shop@example.com' })]);
    await console.goto('mails');
    await page.getByRole('link', { name: say('Quote 1') }).click();
    await console.heading(say('Quote 1'));
    expect(console.faults).toEqual([]);
  });

  it('shares an invoice with a way to pay what is left of it', async () => {
    const { visibleId } = await create<{ visibleId: string }>('/documents/create/tax-invoice', {
      ...{ entityId: shop.clientId, items: [{ description: 'x', quantity: 1, unitPrice: 100 }] },
    });
    const page = await console.signIn(`documents/${visibleId}`);
    await page.getByRole('button', { name: say('Share a link') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(say('With a button to pay {amount} online')).click();
    await console.shoot(`document-share-payment-${language}`);
    await dialog.getByRole('button', { name: say('Share a link') }).click();
    const link = String(await dialog.locator('.sample pre').textContent());
    expect(await dialog.getByRole('button', { name: say.exactly('Cancel') }).count()).toBe(0);
    const shared = await (await fetch(link, { headers: { accept: 'text/html' } })).text();
    expect(shared).toContain('/gateway/sandbox/pages/');
    const { body } = await service.request<{ data: object[] }>('GET', '/gateway/payments/payment-pages');
    expect(body.data).toMatchObject([{ amount: 118, entityId: shop.clientId, status: 'OPEN' }]);
    expect(console.faults).toEqual([]);
  });

  it('issues once what is sent again after its answer was lost and the preview was refused meanwhile', async () => {
    const page = await console.signIn(`documents/new?client=${shop.visibleId}`);
    const issued = async () => {
      const { body } = await service.request<{ pagination: { total: number } }>('GET', '/documents?limit=1');
      return body.pagination.total;
    };
    const before = await issued();
    await page.getByRole('textbox', { name: say('Description') }).fill('Sent twice');
    await page.getByRole('textbox', { name: say('Quantity') }).fill('1');
    await page.getByRole('textbox', { name: say('Unit price') }).fill('150');
    let isLost = true;
    await page.route('**/documents/create/*', async (route) => {
      const response = await route.fetch();
      await (isLost ? route.abort() : route.fulfill({ response }));
    });
    const issue = async () => {
      await page.getByRole('button', { name: say.exactly('Issue') }).click();
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: say.exactly('Issue') })
        .click();
    };
    await issue();
    await page.getByText('CONNECTION_FAILED').waitFor();
    const discount = page.getByRole('textbox', { name: say('Discount, %') });
    await discount.fill('101');
    await page.getByText(say('It would be refused')).waitFor();
    await page.getByText('CONNECTION_FAILED').waitFor();
    await discount.fill('');
    isLost = false;
    await issue();
    await page.waitForURL(/\/documents\/[\da-f-]{36}$/);
    expect(await issued()).toBe(before + 1);
  });

  it('stays usable while a currency is typed', async () => {
    const page = await console.signIn(`documents/new?client=${shop.visibleId}`);
    await page.getByLabel(say.exactly('Type')).selectOption('TAX_INVOICE_RECEIPT');
    await page.getByRole('textbox', { name: say('Description') }).fill('Consulting');
    await page.getByRole('textbox', { name: say('Quantity') }).fill('1');
    await page.getByRole('textbox', { name: say('Unit price') }).fill('100');
    const preview = page.getByRole('complementary', { name: say('Preview') });
    await preview.getByText('118.00').first().waitFor();
    const currency = page.getByRole('textbox', { name: say('Currency') });
    await currency.fill('');
    await currency.pressSequentially('JPY', { delay: 30 });
    await preview.getByText('118.00').first().waitFor();
    expect(await page.getByRole('textbox', { name: say('Description') }).inputValue()).toBe('Consulting');
    expect(console.faults.filter((fault) => !fault.includes('400'))).toEqual([]);
  });

  it('shares once what is sent again after its answer was lost, lists the link and revokes it', async () => {
    const { visibleId } = await create<{ visibleId: string }>('/documents/create/tax-invoice', {
      ...{ entityId: shop.clientId, items: [{ description: 'x', quantity: 1, unitPrice: 100 }] },
    });
    const page = await console.signIn(`documents/${visibleId}`);
    let isLost = true;
    await page.route('**/share', async (route) => {
      const response = await route.fetch();
      await (isLost ? route.abort() : route.fulfill({ response }));
    });
    await page.getByRole('button', { name: say('Share a link') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: say('Share a link') }).click();
    await dialog.getByText('CONNECTION_FAILED').waitFor();
    isLost = false;
    await dialog.getByRole('button', { name: say('Share a link') }).click();
    await dialog.getByText(say('Opens until {time}. Marked as: Original')).waitFor();
    const link = String(await dialog.locator('.sample pre').textContent());
    const opened = async () => (await fetch(link, { headers: { accept: 'text/html' } })).status;
    expect(await opened()).toBe(200);
    await dialog.getByRole('button', { name: say('Done') }).click();
    await console.goto(`documents/${visibleId}`);
    const rows = page.getByRole('region', { name: say('Shared links') }).locator('tbody tr');
    await rows.getByText(say.exactly('Valid')).waitFor();
    expect(await rows.count()).toBe(1);
    await rows.getByRole('cell', { name: say.exactly('Original') }).waitFor();
    await rows.getByRole('cell', { name: /^1\b/ }).getByText(say('last {time}')).waitFor();
    await console.shoot(`document-links-${language}`);
    expect(await console.problems()).toEqual([]);
    await rows.getByRole('button', { name: say('Revoke link: Original, {time} ({id})') }).click();
    await dialog
      .getByText(say('The link {id} of {time} (Original) opens nothing from then on. This cannot be undone.'))
      .waitFor();
    await console.shoot(`document-revoke-link-${language}`);
    expect(await console.problems()).toEqual([]);
    await dialog.getByRole('button', { name: say.exactly('Revoke link') }).click();
    await page.getByText(say('The link was revoked.')).waitFor();
    await rows.getByText(say.exactly('Revoked')).waitFor();
    expect(await rows.getByRole('button').count()).toBe(0);
    const focused = () => page.evaluate<string>("document.activeElement.getAttribute('aria-label')");
    await until('the focus', async () => (await focused()) === say.plain('Shared links'));
    expect(await opened()).toBe(404);
    expect(console.faults.filter((fault) => !fault.includes('ERR_FAILED'))).toEqual([]);
  });

  it('turns the reminders of an invoice off, and reads the statement of its client', async () => {
    const due = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
    const { visibleId, number } = await create<{ visibleId: string; number: number }>(
      '/documents/create/tax-invoice',
      {
        ...{ entityId: shop.clientId, dueDate: due },
        items: [{ description: 'Advice', quantity: 1, unitPrice: 1000 }],
      },
    );
    const page = await console.signIn(`documents/${visibleId}`);
    await page
      .getByText(
        say('None were sent yet. The company sets the days of reminders, and each client may be left out.'),
      )
      .waitFor();
    await page.getByText(say('Remind the client of this document')).click();
    await until('the reminders to be off', async () => {
      const { body } = await service.request<{ enabled: boolean }>(
        'GET',
        `/documents/id/${visibleId}/reminders`,
      );
      return !body.enabled;
    });

    await console.goto(`clients/${shop.visibleId}`);
    await page.getByRole('link', { name: say('Statement of account') }).click();
    await console.heading(say('Statement of account: Corner <b>Shop</b>'));
    const row = page.getByRole('row').filter({ hasText: say(`Tax invoice ${number}`) });
    await row.getByText('1,180.00').first().waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: say('PDF') }).click();
    expect((await saved).suggestedFilename()).toMatch(/^statement-\d{4}-01-01-[\d-]{10}\.pdf$/);
    expect(await page.getByLabel(say('From')).inputValue()).toMatch(/^\d{4}-01-01$/);
    await page.getByLabel(say('From')).fill('2020-01-01');
    await page.getByLabel(say('Until')).fill('2020-12-31');
    await page.getByText(say('Nothing was issued to this client in these days.')).waitFor();
    expect(page.url()).toContain('to=2020-12-31');
    expect(console.faults).toEqual([]);
  });

  it('cancels a receipt with the keyboard alone', async () => {
    const { visibleId } = await create<{ visibleId: string }>('/documents/create/receipt', {
      ...{ entityId: shop.clientId, payments: [{ method: 'CASH', amount: 10 }] },
    });
    const page = await console.signIn(`documents/${visibleId}`);
    await console.heading(say('Receipt {number}'));
    await page.getByRole('button', { name: say('Cancel document') }).focus();
    await page.keyboard.press('Enter');
    const facts = page.getByRole('dialog').getByRole('definition');
    await facts.filter({ hasText: say('Receipt {number}') }).waitFor();
    await facts.filter({ hasText: 'Corner <b>Shop</b>' }).waitFor();
    await facts.filter({ hasText: '10.00' }).waitFor();
    await page.keyboard.type('נרשמה בטעות');
    await page.keyboard.press('Enter');
    await page.getByText(say('The document was cancelled.')).waitFor();
    await page.getByRole('definition').filter({ hasText: 'נרשמה בטעות' }).waitFor();
    expect(console.faults).toEqual([]);
  });

  it('records stock, shows the effect of a movement before, transfers, and lists what is low first', async () => {
    const page = await console.signIn('stock');
    await page.getByText(say('No stock records yet')).waitFor();
    await page
      .getByRole('button', { name: say('New stock record') })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: say('Product') }).fill('A4');
    await page.getByRole('option', { name: 'Paper A4' }).click();
    await dialog.getByRole('textbox', { name: say('Low at or below') }).fill('12');
    await dialog.getByRole('button', { name: say('Create') }).click();
    await console.heading('Paper A4');

    const arrow = language === 'he' ? '←' : '→';
    const move = async (type: string, quantity: string) => {
      await page.getByRole('button', { name: say('Record a movement') }).click();
      await dialog.getByLabel(say.exactly('Type')).selectOption(type);
      await dialog.getByRole('textbox', { name: say('Quantity') }).fill(quantity);
    };
    await move('ADD', '40');
    await dialog.getByText(`0 ${arrow} 40`).first().waitFor();
    await dialog.getByRole('textbox', { name: say('Reason') }).fill('Delivery <script>alert(1)</script>');
    await dialog.getByRole('textbox', { name: say('Kind of reference') }).fill('ORDER');
    await dialog.getByRole('textbox', { name: say('Number of reference') }).fill('A-7731');
    await dialog.getByText(say('Enter a whole number, such as 1042.')).waitFor();
    expect(await dialog.getByRole('button', { name: say.exactly('Record the movement') }).isDisabled()).toBe(
      true,
    );
    await dialog.getByRole('textbox', { name: say('Number of reference') }).fill('7731');
    await dialog.getByRole('button', { name: say.exactly('Record the movement') }).click();
    await page.getByText('ORDER #7731').waitFor();

    await move('SUBTRACT', '41');
    await dialog.getByText(say('Only 40 are available.')).waitFor();
    expect(await dialog.getByRole('button', { name: say.exactly('Record the movement') }).isDisabled()).toBe(
      true,
    );
    await dialog.getByLabel(say.exactly('Type')).selectOption('TRANSFER');
    await dialog.getByRole('textbox', { name: say('Quantity') }).fill('30.5');
    await dialog.getByText(`40 ${arrow} 9.5`).first().waitFor();
    await dialog.getByText(say('Effect in חנות')).waitFor();
    await dialog.getByText(say('The stock becomes low.')).waitFor();
    await console.shoot(`stock-move-${language}`);
    expect(await console.problems()).toEqual([]);
    await dialog.getByRole('button', { name: say.exactly('Record the movement') }).click();
    await page.getByRole('link', { name: say('to חנות') }).click();
    await page.getByRole('link', { name: say('from Main warehouse') }).waitFor();

    await page.getByRole('link', { name: say('Stock') }).click();
    await page
      .getByRole('region', { name: say('Low stock') })
      .getByRole('link', { name: 'Paper A4' })
      .waitFor();
    expect(
      await page
        .getByRole('region', { name: say('Low stock') })
        .getByRole('row')
        .count(),
    ).toBe(2);
    const { body } = await service.request<{ data: object[] }>('GET', '/inventory');
    expect(body.data).toEqual([
      expect.objectContaining({ quantity: 9.5, lowStockThreshold: 12 }),
      expect.objectContaining({ quantity: 30.5, lowStockThreshold: null }),
    ]);
    expect(console.faults).toEqual([]);
  });

  if (language !== 'en') return;

  it('shows a viewer nothing that writes', async () => {
    const { key } = await create<{ key: string }>('/api-keys', { role: 'viewer', userName: 'Viewer' });
    const page = await console.signIn('documents', {}, key);
    await page.getByRole('link', { name: 'Quote 1' }).waitFor();
    expect(await page.getByRole('link', { name: 'Issue a document' }).count()).toBe(0);
    const { body } = await service.request<{ data: { visibleId: string; number: number }[] }>(
      'GET',
      '/documents?type=QUOTE',
    );
    const quote = body.data.find(({ number }) => number === 1);
    await create(`/documents/id/${quote?.visibleId}/share`, {});
    await page.getByRole('link', { name: 'Quote 1' }).click();
    await console.heading('Quote 1');
    await page.getByRole('button', { name: 'PDF' }).waitFor();
    await page.getByText('Valid', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: /Send|Share|Close|Cancel|Revoke/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Stock' }).click();
    await page.getByRole('link', { name: 'Paper A4' }).first().click();
    await console.heading('Paper A4');
    expect(await page.getByRole('button', { name: /movement|threshold/ }).count()).toBe(0);
  });

  it.each(LOOKS)('every page is accessible and fits: %s', async (look, options) => {
    const { body } = await service.request<{ data: { visibleId: string }[] }>(
      'GET',
      '/documents?type=TAX_INVOICE',
    );
    const quotes = await service.request<{ data: { visibleId: string }[] }>('GET', '/documents?type=QUOTE');
    await console.signIn('', options);
    for (const [name, at] of [
      ['documents', 'documents'],
      ['documents-none', 'documents?search=nothing'],
      ['document', `documents/${body.data[0]?.visibleId}`],
      ['document-new', `documents/new?from=${quotes.body.data[0]?.visibleId}&act=cover`],
      ['document-new-receipt', `documents/new?client=${shop.visibleId}`],
      ['statement', `clients/${shop.visibleId}/statement`],
      ['stock', 'stock'],
      ['stock-record', 'stock/1/1'],
      ['stock-unknown', 'stock/1/99'],
    ] as const) {
      await console.follow(at);
      expect({ at, ...(await console.flaws()) }).toEqual({ at, ...SOUND });
      await console.shoot(`${name}-${look}`);
    }
    expect(console.faults).toEqual([]);
  });
});
