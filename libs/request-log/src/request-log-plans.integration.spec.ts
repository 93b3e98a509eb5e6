import { createTestDatabase, describeListPlans, type TestDatabase } from '@counterfoil/test-harness';
import { REQUESTS } from './adapters/request-log.list';

const ROWS = 30_000;
const COMPANY = 7;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  // One in a thousand requests is rare in each respect.
  await database.query(
    `insert into request_log (company_id, api_key_id, at, method, route, status, duration_ms, request_id)
     select company, 1, timestamptz '2026-01-01' + n * interval '1 minute', 'GET',
            case when n % 1000 = 0 then '/rare' else '/often' end,
            case when n % 1000 = 0 then 500 else 200 end, 2, 'request-' || n
       from generate_series(1, ${ROWS}) as n, unnest(array[${COMPANY}, 8]) as company`,
  );
  await database.vacuum('request_log');
}, 60_000);
afterAll(() => database.drop());

describeListPlans({
  list: REQUESTS,
  on: () => ({ database, scope: COMPANY }),
  filters: {
    requestId: ['request-50', 20],
    route: ['/rare', 150],
    status: [500, 150],
    from: [new Date('2026-01-21T19:00:00Z'), 250],
    to: [new Date('2026-01-01T00:40:00Z'), 150],
  },
});
