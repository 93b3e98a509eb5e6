import { Sql } from '@counterfoil/database';
import { planOf, type PlanNode, startTestContext, type TestContext } from '@counterfoil/test-harness';
import { RetainerReader } from '../../application/ports/retainer.reader';
import { RetainerRepository } from '../../application/ports/retainer.repository';
import { type GivenCompany, givenCompany } from '../../testing/given-company';
import { RETAINERS_MODULE } from '../../testing/retainers';

const RETAINERS = 200_000;
const OURS = 500;
const DOCUMENTS_OF_ONE = 100;

/** Captures each statement, and runs it again with EXPLAIN. */
describe('with 200,000 retainers', () => {
  let context: TestContext;
  let ours: GivenCompany;

  beforeAll(async () => {
    context = await startTestContext([RETAINERS_MODULE]);
    ours = await givenCompany(context);
    const theirs = await givenCompany(context, 'Theirs');
    await insertRetainers(theirs, RETAINERS);
    await insertRetainers(ours, OURS);
    await context.database.query(
      `insert into documents (visible_id, company_id, type, number, entity_id, retainer_id, issue_date, currency, amount,
           tax, total_with_tax, status, remaining_amount, covered_amount, created_at, updated_at, change_number)
         select gen_random_uuid(), r.company_id, 'TAX_INVOICE', row_number() over (), r.entity_id, r.id, '2026-01-31',
                'ILS', 100, 18, 118, 'OPEN', 118, 0, now(), now(), row_number() over ()
           from retainers r, generate_series(1, ${DOCUMENTS_OF_ONE}) where r.company_id = $1`,
      [ours.caller.companyId],
    );
    await context.database.vacuum();
  }, 120_000);
  afterAll(() => context.close());

  const insertRetainers = ({ caller, entityId }: GivenCompany, count: number) =>
    context.database.query(
      `with opened as (
         insert into schedules (company_id, kind, interval, first_run_date, next_run_date)
         select $1, 'RETAINER', 'MONTHLY', '2026-01-31', '2026-02-28' from generate_series(1, $3::int) returning id
       ) insert into retainers (id, company_id, entity_id, document_type, currency, items, created_at)
         select id, $1, $2, 'TAX_INVOICE', 'ILS', '[]', now() from opened`,
      [caller.companyId, entityId, count],
    );

  async function plansOf(read: () => Promise<unknown>): Promise<PlanNode[]> {
    const sent = jest.spyOn(Sql.prototype, 'rows');
    try {
      await read();
      const plans: PlanNode[] = [];
      for (const [sql, parameters] of sent.mock.calls) {
        plans.push(...(await planOf(context.database, sql, parameters)));
      }
      return plans;
    } finally {
      sent.mockRestore();
    }
  }
  const rows = (plan: PlanNode) =>
    (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  const looked = (plans: readonly PlanNode[], table: string) =>
    plans.filter((plan) => plan['Relation Name'] === table).reduce((sum, plan) => sum + rows(plan), 0);

  it('the list reads those of the company by index, and the last document of each by another', async () => {
    let listed = 0;
    const plans = await plansOf(async () => {
      for await (const batch of context.get(RetainerReader).list(ours.caller.companyId))
        listed += batch.length;
    });
    expect(listed).toBe(OURS);
    const indexes = plans.map((plan) => plan['Index Name']);
    expect(indexes).toEqual(expect.arrayContaining(['retainers_company', 'documents_retainer']));
    expect(
      plans.filter((plan) => plan['Node Type'] === 'Seq Scan').map((plan) => plan['Relation Name']),
    ).toEqual(
      // There are only two entities, so a sequential scan is fine.
      plans.filter((plan) => plan['Node Type'] === 'Seq Scan').map(() => 'entities'),
    );
    // Each is read twice: for the size of the batch and for its content.
    expect(looked(plans, 'retainers')).toBeLessThanOrEqual(2 * OURS + 3);
    expect(looked(plans, 'schedules')).toBeLessThanOrEqual(2 * OURS + 3);
    expect(looked(plans, 'documents')).toBe(OURS);
  });

  it('one is read by its key', async () => {
    const { companyId } = ours.caller;
    const repository = context.get(RetainerRepository);
    const plans = await plansOf(() =>
      Promise.all([repository.find(companyId, 7), repository.has(companyId, 7)]),
    );
    expect(plans.map((plan) => plan['Node Type'])).not.toContain('Seq Scan');
    expect(looked(plans, 'retainers')).toBeLessThanOrEqual(2);
  });
});
