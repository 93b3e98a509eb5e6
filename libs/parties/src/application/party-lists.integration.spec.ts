import { Sql } from '@counterfoil/database';
import { IdentityModule } from '@counterfoil/identity';
import { type Caller, Transactions } from '@counterfoil/kernel';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import fc from 'fast-check';
import { PartyRepository } from './ports/party.repository';
import { PARTY_TYPES, type PartyRole, createDetails } from '../domain/party';
import { PartiesModule } from '../parties.module';
import { givenCaller, givenParty } from '../testing/given-parties';
import { CreateParty } from './create-party';
import { EditParty } from './edit-party';
import {
  PARTY_SORTS,
  type PartyFilter,
  type PartyList,
  PartyReader,
  type PartyRow,
} from './ports/party.reader';

const CONTACT = { firstName: 'Dana', lastName: null, phoneNumber: null, email: null, addressId: null };
const BY_ID = { by: 'id', descending: false } as const;

let context: TestContext;
let reader: PartyReader;

beforeAll(async () => {
  context = await startTestContext([IdentityModule, PartiesModule]);
  reader = context.get(PartyReader);
});
afterAll(() => context.close());

const vendors = (filter: PartyFilter = {}): PartyList => ({ role: 'vendor', filter, sort: BY_ID });
const first = { limit: 200, offset: 0 };

async function total(caller: Caller, role: PartyRole, filter: PartyFilter = {}): Promise<number> {
  const list = { ...vendors(filter), role };
  return (await reader.list(caller.companyId, list, { limit: 1, offset: 0 })).pagination.total;
}

/** Counts the parties of each role in the table itself. */
async function countRows(caller: Caller): Promise<{ vendors: number; clients: number }> {
  const [row] = await context.database.query<{ vendors: number; clients: number }>(
    `select count(*) filter (where is_vendor)::int as vendors, count(*) filter (where is_client)::int as clients
       from entities where company_id = $1`,
    [caller.companyId],
  );
  return row!;
}

describe('a list', () => {
  interface Known {
    readonly id: number;
    readonly roles: readonly PartyRole[];
    readonly name: string;
    readonly taxId: string;
    readonly type: string;
    readonly email: string | null;
    readonly hasContacts: boolean;
  }
  const COUNT = 300;
  const known: Known[] = [];
  let caller: Caller;

  /** Few different texts, so that many are equal. They contain the wildcards of SQL and escapes. */
  const name = fc
    .array(fc.constantFrom('a', 'A', 'b', 'שלום', 'ש', '%', '_', '\\', ' ', '10', '2', 'ltd', 'é'), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => `${parts.join('')}.`);
  const party = fc.record({
    name,
    taxId: fc.constantFrom('1', '10', '2', '51A', '51a', '99'),
    type: fc.constantFrom(...PARTY_TYPES),
    email: fc.option(fc.constantFrom('a@b.example', 'A@B.example', 'z@b.example', 'office@b.example')),
    hasContacts: fc.boolean(),
    roles: fc.constantFrom<readonly PartyRole[]>(['vendor'], ['client'], ['vendor', 'client']),
  });

  beforeAll(async () => {
    caller = await givenCaller(context);
    const other = await givenCaller(context);
    for (const { hasContacts, roles, ...details } of fc.sample(party, { numRuns: COUNT, seed: 5 })) {
      const contact = hasContacts ? CONTACT : null;
      const [role = 'vendor', second] = roles;
      const { id } = await givenParty(context, { caller, role }, { details, contact });
      if (second) await context.get(CreateParty).execute(caller, second, { entityId: id });
      known.push({ id, hasContacts, roles, ...details });
      if (id % 3 === 0) await givenParty(context, { caller: other, role }, { details, contact });
    }
  });

  const compare = (a: string | number | null, b: string | number | null): number => {
    if (a === b) return 0;
    if (a === null || b === null) return a === null ? 1 : -1;
    return a < b ? -1 : 1;
  };

  /** A model of the list: applies the contract's rules to all known parties. */
  function expected({ role, filter, sort }: PartyList): number[] {
    const { search = '', id, type, email, taxId, hasContacts } = filter;
    const term = search.trim().toLowerCase();
    const lower = (text: string | null) => text?.toLowerCase() ?? null;
    const keyOf = (one: Known) => (sort.by === 'id' ? one.id : lower(one[sort.by]));
    return known
      .filter((one) => one.roles.includes(role))
      .filter((one) =>
        [one.name, one.taxId, one.email ?? ''].some((text) => text.toLowerCase().includes(term)),
      )
      .filter((one) => id === undefined || one.id === id)
      .filter((one) => type === undefined || one.type === type)
      .filter((one) => email === undefined || lower(one.email) === email.toLowerCase())
      .filter((one) => taxId === undefined || lower(one.taxId) === taxId.toLowerCase())
      .filter((one) => hasContacts === undefined || one.hasContacts === hasContacts)
      .sort((a, b) => (compare(keyOf(a), keyOf(b)) || a.id - b.id) * (sort.descending ? -1 : 1))
      .map(({ id }) => id);
  }

  const list: fc.Arbitrary<PartyList> = fc.record({
    role: fc.constantFrom<PartyRole>('vendor', 'client'),
    filter: fc.record(
      {
        search: fc.oneof(
          fc.constantFrom(
            '',
            ' ',
            'a',
            'ab',
            'ltd',
            'LTD',
            'שלום',
            'לום',
            '%',
            '_',
            '\\',
            '10',
            '%_',
            'office',
            '51a',
          ),
          name.map((text) => text.slice(0, 4)),
        ),
        id: fc.integer({ min: 1, max: 2 * COUNT }),
        type: fc.constantFrom(...PARTY_TYPES),
        email: fc.constantFrom('a@b.example', 'OFFICE@B.example', 'nobody'),
        taxId: fc.constantFrom('10', '51A', '5'),
        hasContacts: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    sort: fc.record({ by: fc.constantFrom(...PARTY_SORTS), descending: fc.boolean() }),
  });
  const page = fc.record({
    limit: fc.constantFrom(1, 7, 50, 200),
    offset: fc.oneof(fc.nat(COUNT + 20), fc.constantFrom(0, 199, 200, 201, 1e9)),
  });

  it('equals its model in every order, filter and window (contract §2.4, §5.6)', async () => {
    await fc.assert(
      fc.asyncProperty(list, page, async (request, window) => {
        const { data, pagination } = await reader.list(caller.companyId, request, window);
        const all = expected(request);
        expect(data.map(({ id }) => id)).toEqual(all.slice(window.offset, window.offset + window.limit));
        expect(pagination.total).toBe(all.length);
      }),
      { numRuns: 1_500 },
    );
  });

  const sorts = PARTY_SORTS.flatMap((by) => [false, true].map((descending) => ({ by, descending })));
  it.each(sorts)('can be paged to its end without gaps or repetitions: %j', async (sort) => {
    const request = { ...vendors(), sort };
    const walked: number[] = [];
    for (let offset = 0; ; offset += 7) {
      const { data, pagination } = await reader.list(caller.companyId, request, { limit: 7, offset });
      walked.push(...data.map(({ id }) => id));
      if (!pagination.hasMore) break;
    }
    expect(walked).toEqual(expected(request));
  });
});

describe('a list while others write', () => {
  /** Expects rows and total of the same moment: as many rows as the total, and all matching. */
  function expectOneMoment(
    rows: readonly PartyRow[],
    ofTotal: number,
    fits: (row: PartyRow) => boolean,
  ): void {
    expect(rows).toHaveLength(Math.min(first.limit, ofTotal));
    expect(rows.filter((row) => !fits(row))).toEqual([]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  }

  it('has rows and total of one moment, and shows every committed change (contract §2.3)', async () => {
    const caller = await givenCaller(context);
    const WRITERS = 4;
    const ROUNDS = 40;
    let writing = WRITERS;
    const write = async (writer: number) => {
      for (let round = 0; round < ROUNDS; round++) {
        const contact = round % 2 === 0 ? CONTACT : null;
        const role = round % 3 === 0 ? 'client' : 'vendor';
        const made = await givenParty(
          context,
          { caller, role },
          { details: { name: `Old ${writer}` }, contact },
        );
        await context
          .get(EditParty)
          .execute(caller, { visibleId: made.visibleId, role }, { name: `New ${writer}`, type: 'PATOOR' });
        if (role === 'client')
          await context.get(CreateParty).execute(caller, 'vendor', { entityId: made.id });
        const mine = await total(caller, 'vendor', { search: `new ${writer}` });
        expect(mine).toBe(round + 1);
      }
      writing -= 1;
    };
    const read = async () => {
      let reads = 0;
      for (; writing > 0; reads++) {
        const old = await reader.list(caller.companyId, vendors({ search: 'old' }), first);
        expectOneMoment(old.data, old.pagination.total, ({ name }) => name.startsWith('Old'));
        const exempt = await reader.list(caller.companyId, vendors({ type: 'PATOOR' }), first);
        expectOneMoment(exempt.data, exempt.pagination.total, ({ type }) => type === 'PATOOR');
        const end = { limit: 5, offset: Math.max(0, exempt.pagination.total - 5) };
        const last = await reader.list(
          caller.companyId,
          { ...vendors(), sort: { by: 'name', descending: true } },
          end,
        );
        expect(last.data).toHaveLength(Math.min(5, last.pagination.total - end.offset));
      }
      return reads;
    };
    const [reads] = await Promise.all([
      read(),
      read(),
      ...Array.from({ length: WRITERS }, (_, writer) => write(writer)),
    ]);
    expect(reads).toBeGreaterThan(20);
    expect(await total(caller, 'vendor')).toBe(WRITERS * ROUNDS);
    expect(await countRows(caller)).toMatchObject({ vendors: WRITERS * ROUNDS });
    expect(await total(caller, 'vendor', { hasContacts: true })).toBe((WRITERS * ROUNDS) / 2);
  });

  it('counts nothing that was rolled back', async () => {
    const caller = await givenCaller(context);
    await givenParty(context, { caller });
    const repository = context.get(PartyRepository);
    const party = {
      ...createDetails({ name: 'Gone', taxId: '1', type: 'COMPANY' }, { mapAccounting: true }),
      visibleId: '11111111-1111-4111-8111-111111111111',
      companyId: caller.companyId,
      isVendor: true,
      isClient: true,
      hasContacts: false,
      createdAt: new Date(),
      updatedAt: new Date(),
    };
    const failing = context.get(Transactions).run(async (tx) => {
      await repository.insert(tx, party);
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    expect(await total(caller, 'vendor')).toBe(1);
    expect(await total(caller, 'client')).toBe(0);
    await givenParty(context, { caller });
    expect(await total(caller, 'vendor')).toBe(2);
  });

  it('counts what one statement writes for several companies', async () => {
    const callers = [await givenCaller(context), await givenCaller(context)];
    await context.database.query(
      `insert into entities (visible_id, company_id, is_vendor, is_client, name, tax_id, type, created_at, updated_at)
       select gen_random_uuid(), company, n % 2 = 0, true, 'Bulk ' || n, n::text, 'COMPANY', now(), now()
         from unnest($1::bigint[]) company, generate_series(1, 100) n`,
      [callers.map(({ companyId }) => companyId)],
    );
    for (const caller of callers) expect(await total(caller, 'vendor')).toBe(50);
    await context.database.query(
      `update entities set is_vendor = true, type = 'PATOOR' where company_id = any ($1)`,
      [callers.map(({ companyId }) => companyId)],
    );
    for (const caller of callers) {
      expect(await total(caller, 'vendor', { type: 'PATOOR' })).toBe(100);
      expect(await total(caller, 'vendor', { type: 'COMPANY' })).toBe(0);
      expect(await total(caller, 'client')).toBe(100);
    }
  });

  it('keeps one row of counts for a company after many changes', async () => {
    const caller = await givenCaller(context);
    for (let time = 0; time < 5; time++) await givenParty(context, { caller });
    const rows = await context.database.query('select 1 from entity_counts where company_id = $1', [
      caller.companyId,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('keeps its version when a field changes that no list filters, searches or sorts by', async () => {
    const caller = await givenCaller(context);
    const made = { ...(await givenParty(context, { caller })), role: 'vendor' } as const;
    const change = async () => {
      const sql = 'select change_number::int as n from entity_counts where company_id = $1';
      const [row] = await context.database.query<{ n: number }>(sql, [caller.companyId]);
      return row!.n;
    };
    const before = await change();
    await context.get(EditParty).execute(caller, made, { bankNumber: '10', creditLimit: 5 });
    expect(await change()).toBe(before);
    const { data } = await reader.list(caller.companyId, vendors(), first);
    expect(data).toHaveLength(1);
    await context.get(EditParty).execute(caller, made, { email: 'a@b.example' });
    expect(await change()).toBe(before + 1);
  });

  it('shows changed fields of cached rows', async () => {
    const caller = await givenCaller(context);
    const made = { ...(await givenParty(context, { caller })), role: 'vendor' } as const;
    await reader.list(caller.companyId, vendors(), first);
    await context.get(EditParty).execute(caller, made, { vendorInternalCode: 5, phoneNumber: '03' });
    const { data } = await reader.list(caller.companyId, vendors(), first);
    expect(data).toMatchObject([{ vendorInternalCode: 5, phoneNumber: '03' }]);
  });

  it('counts rows that were deleted by hand', async () => {
    const caller = await givenCaller(context);
    for (let time = 0; time < 3; time++) await givenParty(context, { caller });
    expect(await total(caller, 'vendor')).toBe(3);
    await context.database.query(
      'delete from entities where id in (select id from entities where company_id = $1 limit 2)',
      [caller.companyId],
    );
    expect(await total(caller, 'vendor')).toBe(1);
  });

  it('shows the other rows when the first of a page was deleted by hand', async () => {
    const caller = await givenCaller(context);
    for (let time = 0; time < 3; time++) await givenParty(context, { caller });
    const { data: before } = await reader.list(caller.companyId, vendors(), first);
    await context.database.query('delete from entities where id = $1', [before[0]?.id]);
    const { data, pagination } = await reader.list(caller.companyId, vendors(), first);
    expect(data.map(({ id }) => id)).toEqual(before.slice(1).map(({ id }) => id));
    expect(pagination.total).toBe(2);
  });

  it('reads a changed list once for all concurrent readers', async () => {
    const caller = await givenCaller(context);
    for (let time = 0; time < 3; time++) await givenParty(context, { caller });
    await total(caller, 'vendor', { search: 'acme' });
    const looks = jest.spyOn(Sql.prototype, 'snapshot');
    try {
      await givenParty(context, { caller });
      const totals = await Promise.all(
        Array.from({ length: 30 }, () => total(caller, 'vendor', { search: 'acme' })),
      );
      expect(new Set(totals)).toEqual(new Set([4]));
      // The first reader starts at once, those that arrive meanwhile share a second read, and late ones a few
      // more: the busier the machine, the more of them.
      expect(looks.mock.calls.length).toBeGreaterThan(0);
      expect(looks.mock.calls.length).toBeLessThan(20);
    } finally {
      looks.mockRestore();
    }
  });
});
