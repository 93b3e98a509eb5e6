import { Sql } from '@counterfoil/database';
import { planOf, type PlanNode, startTestContext, type TestContext } from '@counterfoil/test-harness';
import { SchedulingModule } from './scheduling.module';
import { Schedules } from './schedules';

const SCHEDULES = 200_000;
const COMPANIES = 400;

/** Explains each statement of the service by sending it once more. */
describe('on 200,000 schedules', () => {
  let context: TestContext;

  beforeAll(async () => {
    context = await startTestContext([SchedulingModule]);
    await context.database.query(
      `insert into companies (name, created_at) select 'Company ' || n, now() from generate_series(1, ${COMPANIES}) n`,
    );
    // One in ten has ended long ago, so it is not due. Some fifty of the others are due on a day.
    await context.database.query(
      `insert into schedules (company_id, kind, interval, first_run_date, next_run_date, ended_at)
       select 1 + n % ${COMPANIES}, 'RETAINER', 'MONTHLY', '2026-01-01',
              case when n % 10 = 0 then date '2026-01-01' else date '2026-11-21' + (n * 7919 % 3649)::int end,
              case when n % 10 = 0 then now() end
         from generate_series(1, ${SCHEDULES}) n`,
    );
    await context.database.vacuum('schedules');
  }, 120_000);
  afterAll(() => context.close());

  async function plansOf(read: (schedules: Schedules) => Promise<unknown>): Promise<PlanNode[]> {
    const sent = jest.spyOn(Sql.prototype, 'rows');
    try {
      await read(context.get(Schedules));
      const [call] = sent.mock.calls;
      return await planOf(context.database, call![0], call![1]);
    } finally {
      sent.mockRestore();
    }
  }
  const scans = (plans: readonly PlanNode[]) => plans.filter((plan) => plan['Node Type'].includes('Scan'));
  const looked = (plans: readonly PlanNode[]) =>
    Math.max(
      ...scans(plans).map(
        (plan) => (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'],
      ),
    );

  const now = new Date('2026-11-21T12:00:00Z');
  const dueRows = async (companyId: number | null) => {
    const [due] = await context.database.query<{ count: number }>(
      `select count(*)::int as count from schedules
        where ended_at is null and next_run_date <= '2026-11-21' and company_id = coalesce($1, company_id)`,
      [companyId],
    );
    return due!.count;
  };

  it('finds companies with due runs by an index alone', async () => {
    const plans = await plansOf((schedules) => schedules.findDueCompanies('2026-11-21', now, 1_000));
    expect(plans.map((plan) => plan['Index Name'])).toContain('schedules_due');
    expect(scans(plans).map((plan) => plan['Node Type'])).not.toContain('Seq Scan');
    const due = await dueRows(null);
    expect(due).toBeGreaterThan(20);
    expect(looked(plans)).toBe(due);
  });

  it('finds due schedules of a company by an index alone', async () => {
    const [companyId] = await context.get(Schedules).findDueCompanies('2026-11-21', now, 1);
    const plans = await plansOf((schedules) =>
      schedules.findDueSchedules(companyId!, '2026-11-21', now, 100),
    );
    expect(plans.map((plan) => plan['Index Name'])).toContain('schedules_due_of_company');
    expect(scans(plans).map((plan) => plan['Node Type'])).not.toContain('Seq Scan');
    const due = await dueRows(companyId!);
    expect(due).toBeGreaterThan(0);
    expect(looked(plans)).toBe(due);
  });

  it('reads no more schedules than a batch handles', async () => {
    await context.database.query(
      `insert into schedules (company_id, kind, interval, first_run_date, next_run_date)
       select 400, 'RETAINER', 'MONTHLY', '2026-01-01', '2026-02-01' from generate_series(1, 5000)`,
    );
    await context.database.query('analyze schedules');
    const plans = await plansOf((schedules) => schedules.findDueSchedules(400, '2026-11-21', now, 100));
    expect(plans.map((plan) => plan['Index Name'])).toContain('schedules_due_of_company');
    expect(looked(plans)).toBe(100);
  });

  it('finds the schedule of a run by its key', async () => {
    const plans = await plansOf((schedules) => schedules.findDueRun(777, '2026-11-21', new Date()));
    expect(plans.map((plan) => plan['Index Name'])).toContain('schedules_pkey');
    expect(looked(plans)).toBe(1);
  });
});
