import { IdentityModule } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import { keepDatabase, startTestContext, type TestContext, until } from '@counterfoil/test-harness';
import { PartiesModule } from '../parties.module';
import { givenCaller, givenParty } from '../testing/given-parties';
import { type PartyFilter, PartyReader } from './ports/party.reader';

let context: TestContext;

beforeAll(async () => {
  context = await startTestContext([IdentityModule, PartiesModule]);
});
afterAll(() => context.close());

async function names(caller: Caller, filter: PartyFilter): Promise<{ names: string[]; total: number }> {
  const list = { role: 'vendor', filter, sort: { by: 'id', descending: false } } as const;
  const page = { limit: 200, offset: 0 };
  const { data, pagination } = await context.get(PartyReader).list(caller.companyId, list, page);
  return { names: data.map(({ name }) => name), total: pagination.total };
}

describe('a list cached before a restore', () => {
  it('is read again, although the change number is the same as before', async () => {
    const caller = await givenCaller(context);
    const add = (name: string, type: string) => givenParty(context, { caller }, { details: { name, type } });
    const ofCompanies = { type: 'COMPANY' } as const;
    const ofExempt = { type: 'PATOOR' } as const;
    await add('kept', 'COMPANY');
    const restore = await keepDatabase(context.database.adminUrl);
    await until('the database to answer', () => add('lost', 'COMPANY').then(Boolean, () => false));
    expect(await names(caller, ofCompanies)).toEqual({ names: ['kept', 'lost'], total: 2 });
    expect(await names(caller, ofExempt)).toEqual({ names: [], total: 0 });
    await restore();
    await until('the database to answer', () => add('new', 'PATOOR').then(Boolean, () => false));
    expect(await names(caller, ofCompanies)).toEqual({ names: ['kept'], total: 1 });
    expect(await names(caller, ofExempt)).toEqual({ names: ['new'], total: 1 });
  });
});
