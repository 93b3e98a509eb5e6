import { CreateCompany } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import type { OpenContext } from '@counterfoil/test-harness';

/** Creates a company and returns its owner as the caller. */
export async function givenCaller(context: OpenContext, name = 'Acme'): Promise<Caller> {
  const { companyId, userId } = await context.get(CreateCompany).execute(name, 'Owner');
  return { companyId, userId, apiKeyId: 0, role: 'owner' };
}
