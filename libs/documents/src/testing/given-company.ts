import { CreateCompany } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import { CreateParty } from '@counterfoil/parties';
import type { TestContext } from '@counterfoil/test-harness';
import type { NewDocument } from '../domain/draft-document';

export interface GivenCompany {
  readonly caller: Caller;
  readonly entityId: number;
}

/** Creates a company with one client. */
export async function givenCompany(context: TestContext, name = 'Acme'): Promise<GivenCompany> {
  const { companyId, userId } = await context.get(CreateCompany).execute(name, 'Owner');
  const caller: Caller = { companyId, userId, apiKeyId: 0, role: 'owner' };
  return { caller, entityId: await givenClient(context, caller) };
}

/** Creates a client of the company and returns its id. */
export async function givenClient(
  context: TestContext,
  caller: Caller,
  type: 'COMPANY' | 'MURSHE' | 'PATOOR' = 'COMPANY',
): Promise<number> {
  const details = { name: 'Client', taxId: '514000000', type };
  const { id } = await context.get(CreateParty).execute(caller, 'client', { details, contact: null });
  return id;
}

/** An invoice over 100 plus VAT, with these changes. */
export function anInvoice(entityId: number, changes: Partial<NewDocument> = {}): NewDocument {
  const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
  return { type: 'TAX_INVOICE', entityId, items, payments: [], ...changes };
}
