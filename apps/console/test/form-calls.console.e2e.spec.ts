import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { DEMO_KEY, type TestService } from '@counterfoil/test-harness';
import type { ConsoleBrowser } from './console-browser';
import { type Console, journeys } from './journeys';
import { formRecords } from './trials/console-forms';

const ROOT = path.resolve(__dirname, '../../..');
const TSC = path.join(ROOT, 'node_modules/typescript7/lib/tsc.js');
const run = promisify(execFile);

let service: TestService;
let console: ConsoleBrowser;
/** The addresses of records, without those of the console. */
let at: Readonly<
  Record<'vendor' | 'client' | 'invoice' | 'receipt' | 'endpoint' | 'held' | 'captured', string>
>;

async function create<Answer>(where: string, body: object): Promise<Answer> {
  const answer = await service.request<Answer>('POST', where, body);
  if (answer.status >= 300) throw new Error(`${where}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function given(ready: Console): Promise<void> {
  ({ service, browser: console } = ready);
  const party = { name: "Dana's Shop", taxId: '514000009', type: 'COMPANY' };
  const client = await create<{ clientId: number; visibleId: string }>('/clients/create', party);
  const vendor = await create<{ visibleId: string }>('/vendors/create', party);
  const invoice = await create<{ visibleId: string }>('/documents/create/tax-invoice', {
    ...{ entityId: client.clientId, items: [{ description: 'x', quantity: 1, unitPrice: 100 }] },
  });
  await service.database.query(
    `update documents set approval_number_status = 'REFUSED' where visible_id = $1`,
    [invoice.visibleId],
  );
  await create(`/documents/id/${invoice.visibleId}/share`, {});
  const endpoint = await create<{ id: string }>('/webhooks', {
    url: 'https://example.com/hook',
    events: ['*'],
  });
  const product = { name: 'Paper', sku: 'A4' };
  await create('/products/create', product);
  await create('/warehouses/create', { name: 'Main' });
  await create('/inventory/create', { productId: 1, warehouseId: 1 });
  at = {
    ...(await formRecords(service, client.clientId)),
    ...{ vendor: `vendors/${vendor.visibleId}`, client: `clients/${client.visibleId}` },
    ...{ invoice: `documents/${invoice.visibleId}`, endpoint: `webhooks/${endpoint.id}` },
  };
}

type Opened = readonly [page: string, button: string | RegExp, request: RegExp, ...needed: string[]];

/** The dialogs whose form makes a call: page, button that opens it, call, and the fields that the call cannot lack. */
const dialogs = (): readonly Opened[] => [
  ['vendors', 'New vendor', /-X POST '.*\/vendors\/create'/, 'Name', 'Tax id'],
  [at.vendor, 'Edit', /-X PUT '.*\/vendors\/edit\/[\w-]+'/],
  ['clients', 'New client', /-X POST '.*\/clients\/create'/, 'Name', 'Tax id'],
  [at.client, 'Edit', /-X PUT '.*\/clients\/edit\/[\w-]+'/],
  ['stock', 'New warehouse', /-X POST '.*\/warehouses\/create'/],
  ['stock', 'New stock record', /-X POST '.*\/inventory\/create'/],
  ['stock/1/1', 'Record a movement', /-X POST '.*\/inventory\/movements\/create'/],
  ['stock/1/1', 'Change the threshold', /-X PUT '.*\/inventory\/edit\/1'/],
  ['company', 'Edit', /-X PUT '.*\/company'/],
  ['keys', 'Create key', /-X POST '.*\/api-keys'/],
  [at.invoice, 'Send by e-mail', /-X POST '.*\/documents\/id\/[\w-]+\/send'/],
  [at.invoice, 'Share a link', /-X POST '.*\/documents\/id\/[\w-]+\/share'/],
  [at.invoice, /^Revoke link: /, /-X DELETE '.*\/documents\/id\/[\w-]+\/shares\/\d+'/],
  [at.invoice, 'Enter the number', /-X POST '.*\/documents\/approval-number\/[\w-]+'/],
  [at.receipt, 'Cancel document', /-X POST '.*\/documents\/cancel\/[\w-]+'/],
  ['payments', 'New charge', /-X POST '.*\/gateway\/charges'/],
  ['payments/cards', 'Save a card', /-X POST '.*\/gateway\/tokens'/],
  ['payments/pages', 'New payment page', /-X POST '.*\/gateway\/payments\/payment-pages'/],
  ['payments/recurring', 'New recurring payment', /-X POST '.*\/gateway\/recurring-payments'/],
  [at.held, 'Take the money', /-X POST '.*\/gateway\/charges\/\d+\/capture'/],
  [at.captured, 'Refund', /-X POST '.*\/gateway\/charges\/\d+\/refund'/],
  ['rates', 'Save an own rate', /-X PUT '.*\/exchange-rates'/],
  ['webhooks', 'Register endpoint', /-X POST '.*\/webhooks'/],
  [at.endpoint, 'Edit', /-X PUT '.*\/webhooks\/[\w-]+'/],
  [at.endpoint, 'Send test event', /-X POST '.*\/webhooks\/[\w-]+\/test'/],
  [at.endpoint, 'Rotate secret', /-X POST '.*\/webhooks\/[\w-]+\/rotate-secret'/],
  [at.endpoint, 'Replay…', /-X POST '.*\/webhooks\/[\w-]+\/replay'/],
];

journeys('the calls of forms in dialogs', { given }, () => {
  it('are shown in each, and compile against the types of the SDK', async () => {
    const page = await console.signIn();
    const samples: string[] = [];
    for (const [where, button, request, ...needed] of dialogs()) {
      await console.goto(where);
      await page.getByRole('button', { name: button, exact: true }).first().click();
      for (const name of needed)
        await page.getByRole('dialog').getByRole('textbox', { name }).first().fill('1');
      await page.getByRole('dialog').getByRole('button', { name: 'As API call' }).click();
      const shown = page.getByRole('dialog', { name: 'As API call' });
      await shown.getByText('curl', { exact: true }).waitFor();
      const [curl = '', sdk = ''] = await shown.locator('.sample pre').allTextContents();
      expect({ where, button, curl }).toEqual({ where, button, curl: expect.stringMatching(request) });
      expect(curl + sdk).not.toMatch(new RegExp(`${DEMO_KEY}|whsec_|tok_`));
      samples.push(sdk);
    }
    expect(await faultsOf(samples)).toBe('');
    expect(console.faults).toEqual([]);
  });

  it('have what is typed, the address of a new client as a call of its own', async () => {
    const page = await console.signIn('clients');
    await page.getByRole('button', { name: 'New client' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).first().fill('Corner');
    await dialog.getByRole('textbox', { name: 'Street' }).fill("Dana's lane");
    await dialog.getByRole('button', { name: 'As API call' }).click();
    const shown = page.getByRole('dialog', { name: 'As API call' });
    const [curl = '', sdk = ''] = await shown.locator('.sample pre').allTextContents();
    expect(curl).toMatch(/addresses\/create'[^]*Dana'\\''s lane[^]*clients\/create'[^]*"name":"Corner"/);
    expect(sdk).toMatch(/^const \{ addressId \} = await counterfoil\.addresses\.create[^]*\n {2}addressId\n/);
    expect(await console.problems()).toEqual([]);
    await console.shoot('form-as-api-call');
    await page.keyboard.press('Escape');
    expect(await dialog.getByRole('textbox', { name: 'Street' }).inputValue()).toBe("Dana's lane");
    expect(console.faults).toEqual([]);
  });
});

/** The faults that the compiler finds in samples. */
async function faultsOf(samples: readonly string[]): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'form-calls-'));
  const head =
    "import { Counterfoil } from '@counterfoil/sdk';\nconst counterfoil = new Counterfoil({ baseUrl: '', apiKey: '' });\n";
  try {
    for (const [index, sdk] of samples.entries())
      writeFileSync(path.join(folder, `call-${index}.ts`), `${head}${sdk}\nexport {};\n`);
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
      ...{ allowImportingTsExtensions: true, skipLibCheck: true, lib: ['es2024'] },
      types: [path.join(ROOT, 'node_modules/@types/node')],
      paths: { '@counterfoil/sdk': [path.join(ROOT, 'libs/sdk/src/index.ts')] },
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const { stdout } = await run(process.execPath, [TSC, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    );
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
