import { describeListPlans, planOf, startTestContext, type TestContext } from '@counterfoil/test-harness';
import { newLease } from '@counterfoil/leased-work';
import { MailModule } from '../../mail.module';
import { MAILS } from './mail.list';
import { CLAIM_NEXT_MAIL, COUNT_OF_DAY } from './mail.sql';

const MAILS_SENT = 60_000;
/** Of each company. */
const MAILS_DUE = 5_000;

describe('with many mails', () => {
  let context: TestContext;
  let company: { readonly id: number; readonly documentId: number };

  beforeAll(async () => {
    context = await startTestContext([MailModule]);
    const { database } = context;
    await database.query(`insert into companies (name, created_at) values ('Acme', now()), ('Other', now())`);
    // A document needs much that mails do not have, so it is left out here.
    await database.query('alter table document_mails drop constraint document_mails_document_id_fkey');
    await database.query(
      `insert into document_mails (company_id, document_id, send_id, recipient, kind, to_addresses, cc_addresses, stamp,
         purpose, sent_by, created_at, status, failure, next_attempt_at, finished_at)
       select c.id, n / 10, c.id || '-' || n, 'a@example.com', 'to', '{a@example.com}', '{}', 'original',
              case when n % 1000 = 1 then 'reminder' else 'document' end, 'api-key:1',
              now() - n * interval '1 minute', s.status, case when s.status = 'failed' then 'refused' end,
              case when s.status = 'queued' then now() end, case when s.status <> 'queued' then now() end
         from companies c cross join generate_series(1, $1) n
        cross join lateral (select case when n % 1000 = 0 then 'failed' when n % 500 = 0 then 'queued'
                                        else 'accepted' end as status) s`,
      [MAILS_SENT],
    );
    await database.vacuum('document_mails');
    company = { id: 1, documentId: 77 };
  }, 120_000);
  afterAll(() => context.close());

  describeListPlans({
    list: MAILS,
    on: () => ({ database: context.database, scope: company.id }),
    filters: {
      documentId: [() => company.documentId, 50],
      status: ['failed', 200],
      sendId: ['1-500', 5],
      purpose: ['reminder', 200],
    },
    descending: [true],
  });

  it('the limit of 24 hours reads no older mails, however many were sent', async () => {
    const { database } = context;
    await database.query(
      `insert into document_mails (company_id, document_id, send_id, recipient, kind, to_addresses, cc_addresses, stamp,
         sent_by, created_at, status, finished_at)
       select 1, n, 'retainer-' || n, 'a@example.com', 'to', '{}', '{}', 'original', 'system:recurring-billing',
              now() - n * interval '1 minute', 'accepted', now() - n * interval '1 minute'
         from generate_series(1, $1) n`,
      [MAILS_SENT],
    );
    await database.vacuum('document_mails');
    const counted = { companyId: company.id, atMost: 100_000, leavesRoomBefore: null };
    const nodes = await planOf(database, COUNT_OF_DAY, counted);
    const read = nodes.filter((node) => node['Relation Name'] === 'document_mails');
    expect(read.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    // A mail a minute of each kind.
    const rows = read.map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
    expect(Math.max(...rows)).toBeLessThanOrEqual(2 * 24 * 60);
  });

  it('a claim reads a few mails of each company, however many are due', async () => {
    const { database } = context;
    await database.query(
      `insert into document_mails (company_id, document_id, send_id, recipient, kind, to_addresses, cc_addresses, stamp,
         sent_by, created_at, next_attempt_at)
       select c.id, n, 'due-' || c.id || '-' || n, 'a@example.com', 'to', '{}', '{}', 'original', 'api-key:1', now(), now()
         from companies c cross join generate_series(1, $1) n`,
      [MAILS_DUE],
    );
    await database.vacuum('document_mails');
    const parameters = { now: new Date(), ...newLease(5_000) };
    const nodes = await planOf(database, CLAIM_NEXT_MAIL, parameters);
    const read = nodes.filter((node) => node['Relation Name'] === 'document_mails');
    expect(read.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    const rows = read.map(
      (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    );
    expect(Math.max(...rows)).toBeLessThanOrEqual(2 * 64);
  });
});
