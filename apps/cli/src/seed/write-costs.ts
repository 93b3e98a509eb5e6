import { createHash } from 'node:crypto';
import { keys } from './existing';
import type { PlannedExpense } from './expenses';
import { forEachAtOnce, type SeedRun } from './seed-run';
import type { IdsByName } from './write-parties';

/** Rates that the company has are left as they are. */
export async function writeRates(run: SeedRun): Promise<void> {
  const { client, existing, plan } = run;
  const missing = plan.rates.filter((rate) => !existing.rates.has(keys.rate(rate)));
  if (missing.length > 0) await client.exchangeRates.save({ rates: missing });
  for (const rate of plan.rates)
    await run.settle('rates', existing.rates.has(keys.rate(rate)), async () => {});
}

/** Expenses with their receipts, and supplier invoices. */
export async function writeCosts(run: SeedRun, vendors: IdsByName): Promise<void> {
  await writeExpenses(run, vendors);
  await writePurchases(run, vendors);
}

async function writeExpenses(run: SeedRun, vendors: IdsByName): Promise<void> {
  const { client, existing, plan } = run;
  await forEachAtOnce(plan.expenses, async (expense) => {
    const vendorId = vendors.get(expense.vendor)!.id;
    const known = existing.expenses.get(keys.numbered(vendorId, expense.body.documentNumber));
    if (known !== undefined) run.found('files');
    await run.ensure('expenses', expense.name, known, async (options) => {
      const fileId = await writeReceipt(run, expense);
      const { expenseId } = await client.expenses.create({ ...expense.body, vendorId, fileId }, options);
      return expenseId;
    });
  });
}

async function writeReceipt(run: SeedRun, { name, receipt }: PlannedExpense): Promise<number> {
  const known = run.existing.files.get(sha256Of(receipt.bytes));
  return run.ensure('files', name, known, async (options) => {
    const file = new Blob([receipt.bytes]);
    const { fileId } = await run.client.files.upload(file, { ...options, filename: receipt.fileName });
    return fileId;
  });
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function writePurchases(run: SeedRun, vendors: IdsByName): Promise<void> {
  const { client, existing, plan } = run;
  for (const { name, vendor, body } of plan.purchases) {
    const vendorId = vendors.get(vendor)!.id;
    const known = existing.purchases.get(keys.numbered(vendorId, body.documentNumber));
    await run.ensure('purchases', name, known, async (options) => {
      const { purchaseId } = await client.purchases.create({ ...body, vendorId }, options);
      return purchaseId;
    });
  }
}
