import { CreateCompany } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import type { TestContext } from '@counterfoil/test-harness';
import { CreateEntity, type SentEntity } from '../application/create-entity';
import type { EntityIds } from '../application/ports/entity.repository';
import type { EntityRole } from '../domain/entity';

/** The owner of a new company. */
export async function givenCaller(context: TestContext): Promise<Caller> {
  const { companyId, userId } = await context.get(CreateCompany).execute('Acme', 'Owner');
  return { companyId, userId, apiKeyId: 0, role: 'owner' };
}

/** A vendor or client, but for what is told of another kind. */
export function givenEntity(
  context: TestContext,
  { caller, role = 'vendor' }: { readonly caller: Caller; readonly role?: EntityRole },
  { details, contact = null }: { readonly details?: object; readonly contact?: SentEntity['contact'] } = {},
): Promise<EntityIds> {
  const sent = { name: 'Acme', taxId: '514000000', type: 'COMPANY' as const, ...details };
  return context.get(CreateEntity).execute(caller, role, { details: sent, contact });
}
