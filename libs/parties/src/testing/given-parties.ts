import { CreateCompany } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import type { TestContext } from '@counterfoil/test-harness';
import { CreateParty, type NewPartyInput } from '../application/create-party';
import type { PartyIds } from '../application/ports/party.repository';
import type { PartyRole } from '../domain/party';

/** Creates a company and returns its owner as the caller. */
export async function givenCaller(context: TestContext): Promise<Caller> {
  const { companyId, userId } = await context.get(CreateCompany).execute('Acme', 'Owner');
  return { companyId, userId, apiKeyId: 0, role: 'owner' };
}

/** Creates a vendor or a client, with the given details changed. */
export function givenParty(
  context: TestContext,
  { caller, role = 'vendor' }: { readonly caller: Caller; readonly role?: PartyRole },
  {
    details,
    contact = null,
  }: { readonly details?: object; readonly contact?: NewPartyInput['contact'] } = {},
): Promise<PartyIds> {
  const sent = { name: 'Acme', taxId: '514000000', type: 'COMPANY' as const, ...details };
  return context.get(CreateParty).execute(caller, role, { details: sent, contact });
}
