import { IdentityModule } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import { startTestContext, statementsOf, type TestContext } from '@counterfoil/test-harness';
import fc from 'fast-check';
import { PartiesModule } from '../parties.module';
import { givenCaller, givenParty } from '../testing/given-parties';
import { seedVendors } from '../testing/many-vendors';
import { PARTY_SORTS, type PartyList, PartyReader, type PartySort } from './ports/party.reader';

const VENDORS = 12_000;
const COLUMNS: Readonly<Record<PartySort['by'], string>> = {
  id: 'id',
  name: 'name_key',
  email: 'email_key',
  taxId: 'tax_id_key',
  type: 'type',
};

describe('a list that is longer than its cached ids', () => {
  let context: TestContext;
  let reader: PartyReader;
  let caller: Caller;

  beforeAll(async () => {
    context = await startTestContext([IdentityModule, PartiesModule]);
    reader = context.get(PartyReader);
    caller = await givenCaller(context);
    await seedVendors(context.database, { companyId: caller.companyId, count: VENDORS });
  }, 120_000);
  afterAll(() => context.close());

  const sorted = (sort: PartySort): PartyList => ({ role: 'vendor', filter: {}, sort });

  async function idsAt(list: PartyList, offset: number, limit = 50): Promise<number[]> {
    const { data } = await reader.list(caller.companyId, list, { limit, offset });
    return data.map(({ id }) => id);
  }

  async function allIds({ by, descending }: PartySort): Promise<number[]> {
    const direction = descending ? 'desc' : 'asc';
    const rows = await context.database.query<{ id: number }>(
      `select id::int from entities where company_id = $1 and is_vendor
        order by ${COLUMNS[by]} ${direction}, id ${direction}`,
      [caller.companyId],
    );
    return rows.map(({ id }) => id);
  }

  /** The number of rows that the statements of a page skip. */
  async function skipped(list: PartyList, offset: number): Promise<number> {
    const walks = (await statementsOf(() => idsAt(list, offset))).filter(({ text }) =>
      /offset \$\d/.test(text),
    );
    return walks.reduce((sum, { values }) => sum + Number(values.at(-1)), 0);
  }

  const sorts = PARTY_SORTS.flatMap((by) => [false, true].map((descending) => ({ by, descending })));

  // Half of the vendors have no e-mail address: those come last, or first in descending order.
  it.each(sorts)('has every page right, in whatever order they are requested: %j', async (sort) => {
    const all = await allIds(sort);
    const page = fc.record({ offset: fc.nat(VENDORS + 100), limit: fc.constantFrom(1, 7, 50, 200) });
    await fc.assert(
      fc.asyncProperty(page, async ({ offset, limit }) => {
        expect(await idsAt(sorted(sort), offset, limit)).toEqual(all.slice(offset, offset + limit));
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    { read: 3_000, then: 7_000, has: 'only rows without the key' },
    { read: 5_000, then: 5_980, has: 'the last rows with the key' },
  ])('reads a page again that has $has, which come last', async ({ read, then }) => {
    const sort = { by: 'email', descending: false } as const;
    const list = sorted(sort);
    // A change makes the list forget its positions.
    await givenParty(context, { caller, role: 'client' }, { details: { email: 'new@example.com' } });
    await idsAt(list, read);
    expect(await idsAt(list, then)).toEqual((await allIds(sort)).slice(then, then + 50));
  });

  it('skips few rows to a page near one that was read before', async () => {
    const list: PartyList = { ...sorted({ by: 'name', descending: true }), filter: { type: 'PATOOR' } };
    expect(await skipped(list, 2_000)).toBeGreaterThan(1_500);
    expect(await skipped(list, 2_000)).toBe(0);
    expect(await skipped(list, 2_050)).toBe(50);
    expect(await skipped(list, 1_900)).toBe(51);
  });

  it('shows a new row in all pages behind it', async () => {
    const list = sorted({ by: 'name', descending: false });
    for (let offset = 1_000; offset < VENDORS; offset += 1_000) await idsAt(list, offset);
    const before = await idsAt(list, 6_000);
    await givenParty(context, { caller }, { details: { name: '000 first' } });
    const after = await idsAt(list, 6_000);
    expect(after.slice(1)).toEqual(before.slice(0, -1));
    expect(after).toEqual((await allIds(list.sort)).slice(6_000, 6_050));
  });
});
