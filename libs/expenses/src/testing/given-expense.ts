import { CreateCompany } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import { CreateParty } from '@counterfoil/parties';
import type { TestContext } from '@counterfoil/test-harness';
import type { ExpenseDetails } from '../domain/expense';

/** Creates a company and returns its owner as the caller. */
export async function givenCaller(context: TestContext): Promise<Caller> {
  const { companyId, userId } = await context.get(CreateCompany).execute('Acme', 'Owner');
  return { companyId, userId, apiKeyId: 0, role: 'owner' };
}

/** Creates a vendor and returns its numeric entity id. */
export async function givenVendor(context: TestContext, caller: Caller, name = 'Paper Ltd'): Promise<number> {
  const details = { name, taxId: '514000000', type: 'COMPANY' as const };
  return (await context.get(CreateParty).execute(caller, 'vendor', { details, contact: null })).id;
}

/** Inserts a file row without content and returns its id. `bytes` determines its hash. */
export async function givenFile(context: TestContext, caller: Caller, bytes: string): Promise<number> {
  const [file] = await context.database.query<{ id: number }>(
    `insert into files (company_id, user_id, storage_key, file_name, mime_type, size, sha256, created_at)
     values ($1, $2, gen_random_uuid()::text, 'receipt.txt', 'text/plain', 1, encode(sha256($3::bytea), 'hex'), now())
     returning id::int`,
    [caller.companyId, caller.userId, Buffer.from(bytes)],
  );
  return file!.id;
}

/** All fields of an expense, with these changes. */
export function anExpense(
  ids: Pick<ExpenseDetails, 'entityId' | 'fileId'>,
  other: Partial<ExpenseDetails> = {},
): ExpenseDetails {
  return {
    ...ids,
    date: '2026-11-20',
    total: 118,
    tax: 18,
    deductableTax: 18,
    title: 'Train to Haifa',
    documentNumber: 'R-1',
    currency: 'ILS',
    notes: null,
    isEquipment: false,
    ...other,
  };
}
