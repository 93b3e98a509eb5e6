import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { RetainerReader, type RetainerRow } from '../../application/ports/retainer.reader';
import { type GivenCompany, givenCompany } from '../../testing/given-company';
import { RETAINERS_MODULE } from '../../testing/retainers';

/** The maximum size of one batch, including the row with which it exceeds the limit. */
const BATCH_MAX = 192 * 1024;

/**
 * A list holds only a few rows in memory at a time, because a company may have thousands of retainers with a
 * thousand items each.
 */
describe('retainers are read', () => {
  let context: TestContext;
  let company: GivenCompany;

  beforeAll(async () => {
    context = await startTestContext([RETAINERS_MODULE]);
  });
  afterAll(() => context.close());
  beforeEach(async () => {
    company = await givenCompany(context);
  });

  /** @param characters length of the only item of each */
  const insert = async (count: number, characters: number): Promise<number[]> => {
    const rows = await context.database.query<{ id: number }>(
      `with opened as (
         insert into schedules (company_id, kind, interval, first_run_date, next_run_date)
         select $1, 'RETAINER', 'MONTHLY', '2026-01-31', '2026-02-28' from generate_series(1, $3::int) returning id
       ) insert into retainers (id, company_id, entity_id, document_type, currency, items, created_at)
         select id, $1, $2, 'TAX_INVOICE', 'ILS',
                json_build_array(json_build_object('description', repeat('ש', $4::int), 'quantity', 1, 'unitPrice', 1)),
                now()
           from opened returning id::int`,
      [company.caller.companyId, company.entityId, count, characters],
    );
    return rows.map(({ id }) => id).sort((one, other) => one - other);
  };
  const read = async (): Promise<(readonly RetainerRow[])[]> => {
    const batches: (readonly RetainerRow[])[] = [];
    for await (const batch of context.get(RetainerReader).list(company.caller.companyId)) batches.push(batch);
    return batches;
  };
  const idsOf = (batches: readonly (readonly RetainerRow[])[]) => batches.flat().map(({ id }) => id);
  const bytesOf = (batch: readonly RetainerRow[]) =>
    batch.reduce((sum, { items }) => sum + Buffer.byteLength(JSON.stringify(items)), 0);

  it('in small batches if they are large, each once and in order', async () => {
    // A letter has two bytes, so each has 30 KB, and all have 1.8 MB.
    const ids = await insert(60, 15_000);
    const batches = await read();
    expect(idsOf(batches)).toEqual(ids);
    expect(batches).toHaveLength(20);
    for (const batch of batches) {
      expect(batch).toHaveLength(3);
      expect(bytesOf(batch)).toBeLessThanOrEqual(BATCH_MAX);
    }
  }, 30_000);

  it('one at a time if each is larger than a batch', async () => {
    const ids = await insert(3, 1_500_000);
    const batches = await read();
    expect(idsOf(batches)).toEqual(ids);
    expect(batches.map((batch) => batch.length)).toEqual([1, 1, 1]);
  });

  it('in full batches if they are small, without ended ones', async () => {
    const ids = await insert(450, 10);
    const ended = ids.filter((_, at) => at % 9 === 0);
    await context.database.query('update schedules set ended_at = now() where id = any($1)', [ended]);
    const batches = await read();
    expect(idsOf(batches)).toEqual(ids.filter((id) => !ended.includes(id)));
    expect(batches.map((batch) => batch.length)).toEqual([200, 200]);
  });
});
