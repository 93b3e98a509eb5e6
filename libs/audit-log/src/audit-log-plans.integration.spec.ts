import { createTestDatabase, describeListPlans, type TestDatabase } from '@counterfoil/test-harness';
import { AUDIT_LOG } from './adapters/audit-log.list';

const ENTRIES = 30_000;
const COMPANY = 7;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  // One in a thousand entries is rare in each respect.
  await database.query(
    `insert into audit_log (company_id, position, at, actor, request_id, action, entity, entity_id, after, hash)
     select company, n, timestamptz '2026-01-01' + n * interval '1 minute',
            'api-key:' || case when n % 1000 = 0 then 2 else 1 end, 'request-' || n / 2,
            case when n % 1000 = 0 then 'delete' else 'update' end,
            case when n % 1000 = 0 then 'company' else 'document' end, n / 3, '{"status": "PAID"}', sha256('')
       from generate_series(1, ${ENTRIES}) as n, unnest(array[${COMPANY}, 8]) as company`,
  );
  await database.vacuum('audit_log');
}, 60_000);
afterAll(() => database.drop());

describeListPlans({
  list: AUDIT_LOG,
  on: () => ({ database, scope: COMPANY }),
  filters: {
    entity: ['company', 150],
    id: ['500', 20],
    actor: ['api-key:2', 150],
    action: ['delete', 150],
    from: [new Date('2026-01-21T19:00:00Z'), 250],
    to: [new Date('2026-01-01T00:40:00Z'), 150],
    requestId: ['request-50', 20],
  },
});
