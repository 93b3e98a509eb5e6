import { IdentityModule } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import { planOf, startTestContext, type TestContext } from '@counterfoil/test-harness';
import { VendorDirectory } from '../../application/ports/vendor-directory';
import { PartiesModule } from '../../parties.module';
import { givenCaller, givenParty } from '../../testing/given-parties';
import { seedVendors } from '../../testing/many-vendors';
import { FIND_VENDORS_NAMED_LIKE } from './party.sql';

describe('the vendor with a name', () => {
  let context: TestContext;
  let caller: Caller;

  beforeAll(async () => {
    context = await startTestContext([IdentityModule, PartiesModule]);
  });
  afterAll(() => context.close());
  beforeEach(async () => {
    caller = await givenCaller(context);
  });

  const given = (name: string, role: 'vendor' | 'client' = 'vendor') =>
    givenParty(context, { caller, role }, { details: { name } });
  const find = (name: string) => context.get(VendorDirectory).findByName(caller.companyId, name);

  it.each([
    ['מאפיית השקד בע"מ', 'מאפיית השקד בע"מ'],
    ['מאפיית השקד', 'מאפיית השקד בע״מ'],
    ['מאפיית-השקד בע"מ', "מאפיית השקד, בע''מ"],
    ['Almond Bakery', 'ALMOND BAKERY LTD'],
    ['ALMOND-BAKERY LIMITED', 'Almond Bakery, Ltd.'],
    ['Almond & Sons', 'ALMOND & SONS'],
    ['Über Brot GmbH', 'Über Brot'],
    ['Ltd', 'LTD'],
  ])('is %s if it reads %s', async (name, read) => {
    const { id, visibleId } = await given(name);
    await given('Almond Bakery Haifa');
    await given('מאפיית השקד והדובדבן');
    expect(await find(read)).toEqual({ id, visibleId, name });
  });

  it.each(['Almond', 'Almond Bakery Haifa', 'Canabakery', 'Ltd', '...'])('is not %s', async (read) => {
    await given('Almond Bakery Ltd');
    await given('Cana');
    expect(await find(read)).toBeNull();
  });

  it('is not guessed among several', async () => {
    await given('Almond Bakery Ltd');
    await given('almond bakery');
    expect(await find('Almond Bakery Ltd')).toBeNull();
  });

  it('is a vendor, and one of the company', async () => {
    await given('Almond Bakery', 'client');
    expect(await find('Almond Bakery')).toBeNull();
    await given('Hazel Bakery');
    const other = await givenCaller(context);
    expect(await context.get(VendorDirectory).findByName(other.companyId, 'Hazel Bakery')).toBeNull();
  });

  it('is found by an index', async () => {
    const { companyId } = caller;
    await seedVendors(context.database, { companyId, count: 20_000 });
    const { id } = await given('Almond Bakery');
    const { text, values } = FIND_VENDORS_NAMED_LIKE.query({ companyId, beginning: 'Almond Bakery' });
    const plan = await planOf(context.database, text, values);
    expect(plan.map((node) => node['Index Name']).filter(Boolean)).toEqual(['entities_vendors_plain_name']);
    expect(await find('Almond Bakery Ltd')).toMatchObject({ id });
  });
});
