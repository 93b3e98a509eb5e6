import { type PlanNode, planOf, startTestContext, type TestContext } from '@counterfoil/test-harness';
import { MailModule } from '../../mail.module';
import { DUE_COMPANIES, FIND_DUE, IS_STILL_DUE } from './reminder.sql';

const COMPANIES = 2_000;
const DOCUMENTS = 20_000;
/** Due dates are spread over this many days, one in four documents is open. */
const DAYS = 500;
const OPEN_OF_A_DAY = DOCUMENTS / DAYS / 4;
const CLIENTS = 500;
const OFFSETS = [-3, 0, 7];
const TODAY = '2026-06-10';
const LIMIT = 200;
/** Another company, all of whose documents are due on one day. */
const CROWD = 5_000;
const CROWDED = '2026-07-01';

/** The large tables that a plan reads from beginning to end. */
const readWhole = (nodes: readonly PlanNode[]) =>
  nodes
    .filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== 'reminder_exemptions')
    .map((node) => node['Relation Name']);

describe('reminders with many documents', () => {
  let context: TestContext;

  beforeAll(async () => {
    context = await startTestContext([MailModule]);
    const { database } = context;
    await database.query(
      `insert into companies (name, created_at) select 'Company ' || n, now() from generate_series(1, $1) n`,
      [COMPANIES],
    );
    await database.query(
      `insert into company_reminders (company_id, days, changed_at)
       select id, $1, '2026-01-01' from companies where id % 2 = 1`,
      [OFFSETS],
    );
    await database.query(
      `insert into reminder_progress (company_id, queued_until)
       select company_id, case when company_id % 500 = 1 then date '2026-06-09' else date '${TODAY}' end
         from company_reminders`,
    );
    await database.query(
      `insert into entities (visible_id, company_id, is_client, name, tax_id, type, email, created_at, updated_at)
       select gen_random_uuid(), case when n <= ${CLIENTS} then 1 else 2 end, true, 'Client ' || n, '514000000',
              'COMPANY', 'a@example.com', now(), now()
         from generate_series(1, ${CLIENTS * 20}) n order by n`,
    );
    await database.query(
      `insert into documents (visible_id, company_id, type, number, external_id, entity_id, issue_date, due_date,
         currency, amount, tax, total_with_tax, status, remaining_amount, covered_amount, created_at, updated_at,
         change_number)
       select gen_random_uuid(), 1, 'TAX_INVOICE', n, 'order-' || n,
              (select min(id) from entities) + n % ${CLIENTS}, due.on_day - 30, due.on_day, 'ILS', 100, 18, 118,
              case when n / $2 % 4 = 0 then 'OPEN' else 'PAID' end, case when n / $2 % 4 = 0 then 118 else 0 end,
              case when n / $2 % 4 = 0 then 0 else 118 end, '2025-01-01', '2025-01-01', n
         from generate_series(1, $1::bigint) n, lateral (select date '2025-06-01' + (n % $2)::int as on_day) due`,
      [DOCUMENTS, DAYS],
    );
    await database.query(
      `with client as (
         insert into entities (visible_id, company_id, is_client, name, tax_id, type, email, created_at, updated_at)
         values (gen_random_uuid(), 3, true, 'Crowd', '514000000', 'COMPANY', 'a@example.com', now(), now()) returning id)
       insert into documents (visible_id, company_id, type, number, external_id, entity_id, issue_date, due_date,
         currency, amount, tax, total_with_tax, status, remaining_amount, covered_amount, created_at, updated_at,
         change_number)
       select gen_random_uuid(), 3, 'TAX_INVOICE', n, 'crowd-' || n, client.id, date '${CROWDED}' - 30, '${CROWDED}',
              'ILS', 100, 18, 118, 'OPEN', 118, 0, '2025-01-01', '2025-01-01', n
         from client, generate_series(1, $1::bigint) n order by n`,
      [CROWD],
    );
    await database.query(
      `insert into document_reminders (company_id, document_id, reminder_date, days, skipped, created_at)
       select 1, id, due_date, 0, 'no_address', due_date from documents where due_date < '${TODAY}'`,
    );
    await database.vacuum();
  }, 120_000);
  afterAll(() => context.close());

  it('a batch reads the open documents of its days, and no others', async () => {
    const period = { companyId: 1, days: OFFSETS, since: TODAY, today: TODAY, after: 0, limit: LIMIT };
    const nodes = await planOf(context.database, FIND_DUE, period);
    expect(nodes[0]!['Actual Rows']).toBeGreaterThan(0);
    expect(readWhole(nodes)).toEqual([]);
    const read = nodes.filter((node) => node['Index Name'] === 'documents_due');
    const rows = read.map((node) => node['Actual Rows'] * node['Actual Loops']);
    expect(rows).toEqual([OPEN_OF_A_DAY * OFFSETS.length]);
  });

  it.each([
    ['first', 0],
    ['last', CROWD - 20],
  ])('the %s batch of a day with many documents reads those of the day alone', async (_, done) => {
    const [row] = await context.database.query<{ id: number }>(
      'select min(id)::int as id from documents where company_id = 3',
    );
    const period = {
      companyId: 3,
      days: [0],
      since: CROWDED,
      today: CROWDED,
      after: row!.id + done - 1,
      limit: LIMIT,
    };
    const nodes = await planOf(context.database, FIND_DUE, period);
    expect(nodes[0]!['Actual Rows']).toBe(Math.min(LIMIT, CROWD - done));
    const read = nodes.filter((node) => node['Relation Name'] === 'documents');
    expect(read.map((node) => node['Index Name'] ?? node['Node Type'])).not.toContain('documents_pkey');
    const examined = read.map(
      (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    );
    expect(Math.max(...examined)).toBeLessThanOrEqual(CROWD);
    expect(readWhole(nodes)).toEqual([]);
  });

  it('the sweep reads the plans and their progress once', async () => {
    const nodes = await planOf(context.database, DUE_COMPANIES, { today: TODAY, limit: 1_000 });
    const rows = nodes
      .filter((node) => node['Relation Name'] !== undefined)
      .map((node) => node['Actual Rows'] * node['Actual Loops']);
    expect(nodes[0]!['Actual Rows']).toBe(COMPANIES / 500);
    expect(Math.max(...rows)).toBeLessThanOrEqual(COMPANIES / 2);
  });

  it('the check before a mail reads its document by the key', async () => {
    const [document] = await context.database.query<{ id: number }>(
      `select id::int from documents where status = 'OPEN' and due_date between date '${TODAY}' - 7 and '${TODAY}'
        order by id limit 1`,
    );
    const [mail] = await context.database.query<{ id: number }>(
      `with mailed as (
         insert into document_mails (company_id, document_id, send_id, recipient, kind, to_addresses, cc_addresses, stamp,
           purpose, sent_by, created_at, next_attempt_at)
         values (1, $1, 'x', 'a@example.com', 'to', '{a@example.com}', '{}', 'copy', 'reminder', 'system:reminders',
           now(), now())
         returning id)
       insert into document_reminders (company_id, document_id, reminder_date, days, mail_id, created_at)
       select 1, $1, $2, 7, id, now() from mailed returning mail_id::int as id`,
      [document!.id, TODAY],
    );
    const parameters = { companyId: 1, mailId: mail!.id, oldest: TODAY, today: TODAY };
    const nodes = await planOf(context.database, IS_STILL_DUE, parameters);
    expect(nodes[0]!['Actual Rows']).toBe(1);
    expect(readWhole(nodes)).toEqual([]);
  });
});
