import { Sql } from '@counterfoil/database';
import { Clock, inRequestScope } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import {
  openTestContext,
  SetClock,
  startTcpProxy,
  startTestContext,
  testConfig,
  type TestContext,
  until,
} from '@counterfoil/test-harness';
import type { TestingModuleBuilder } from '@nestjs/testing';
import type { AnsweredRequest } from './logged-request';
import { requestLogDroppedTotal } from './metrics';
import { PurgeRequestLog } from './purge-request-log';
import { RequestLog } from './request-log';
import { RequestLogModule } from './request-log.module';
import { RequestLogReader } from './adapters/request-log.reader';

const FIRST_PAGE = { limit: 200, offset: 0 };
const DAY_MS = 86_400_000;
const clock = new SetClock();

let context: TestContext;
let log: RequestLog;
let companyId = 1;

beforeAll(async () => {
  const override = (builder: TestingModuleBuilder) => builder.overrideProvider(Clock).useValue(clock);
  context = await startTestContext([RequestLogModule], override);
});
afterAll(() => context.close());
beforeEach(() => {
  companyId += 1;
  log = new RequestLog(context.config, context.get(Sql), context.get(Log));
});
afterEach(() => log.close());

const answered = (differing: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  ...{ companyId, apiKeyId: 7, at: new Date('2026-11-20T10:00:00.123Z'), method: 'GET', requestId: 'req-1' },
  ...{
    route: '/documents/id/{visibleId}',
    ids: { visibleId: 'x' },
    status: 200,
    errorCode: null,
    durationMs: 2.5,
  },
  ...differing,
});

const list = (filter = {}) => context.get(RequestLogReader).list(companyId, filter, FIRST_PAGE);

async function dropped(): Promise<number> {
  const { values } = await requestLogDroppedTotal.get();
  return values[0]?.value ?? 0;
}

it('writes requests in batches, and shows each as it was noted', async () => {
  const { companyId: _, ...request } = answered({ status: 404, errorCode: 'NOT_FOUND' });
  log.note(answered(request));
  log.note(answered({ ids: null, route: '/vendors' }));
  await log.flush();
  const { data } = await list();
  expect(data).toMatchObject([{ ids: null, route: '/vendors' }, request]);
});

it('writes without being asked', async () => {
  log.note(answered());
  await until('the row', async () => (await list()).pagination.total === 1);
});

it('writes each request once while several writes are asked for', async () => {
  for (let count = 0; count < 2_500; count++) log.note(answered({ requestId: `req-${count}` }));
  await Promise.all([log.flush(), log.flush(), log.close()]);
  expect((await list()).pagination.total).toBe(2_500);
});

it('leaves requests that are noted during a write to the next one', async () => {
  let statements = 0;
  const sql = context.get(Sql);
  const noting = Object.create(sql, {
    rows: {
      value: (...call: Parameters<Sql['rows']>) => {
        statements += 1;
        log.note(answered());
        return sql.rows(...call);
      },
    },
  }) as Sql;
  log = new RequestLog(context.config, noting, context.get(Log));
  log.note(answered());
  await log.flush();
  expect(statements).toBe(1);
  await log.flush();
  expect(statements).toBe(2);
  expect((await list()).pagination.total).toBe(2);
});

it('finds requests by id, path, status and time, of the company only', async () => {
  for (const status of [200, 404, 500]) {
    const at = new Date(Date.parse('2026-11-20T10:00:00Z') + status * 1_000);
    log.note(answered({ status, at, requestId: `req-${status}`, route: `/${status}` }));
    log.note(answered({ status, at, requestId: `req-${status}`, route: `/${status}`, companyId: 1 }));
  }
  await log.flush();
  const found = async (filter: object) => (await list(filter)).data.map(({ status }) => status);
  expect(await found({})).toEqual([500, 404, 200]);
  expect(await found({ requestId: 'req-404' })).toEqual([404]);
  expect(await found({ route: '/500' })).toEqual([500]);
  expect(await found({ status: 200 })).toEqual([200]);
  expect(await found({ from: new Date('2026-11-20T10:06:44Z') })).toEqual([500, 404]);
  expect(await found({ to: new Date('2026-11-20T10:06:44Z') })).toEqual([404, 200]);
});

it('keeps requests while the database is away, and drops and counts those beyond the maximum', async () => {
  const before = await dropped();
  const proxy = await startTcpProxy(context.database.url);
  const far = await openTestContext(testConfig(proxy.url), [RequestLogModule]);
  const farLog = far.get(RequestLog);
  try {
    await proxy.cut();
    for (let count = 0; count < 10_005; count++) farLog.note(answered());
    await farLog.flush();
    expect((await dropped()) - before).toBe(5);
    expect((await list()).pagination.total).toBe(0);
    await proxy.mend();
    await farLog.close();
    expect((await list()).pagination.total).toBe(10_000);
  } finally {
    await far.close();
    await proxy.close();
  }
});

it('writes outside of the share of the request that it was called in', async () => {
  const caller = { share: companyId, isAbandoned: () => true };
  const sql = context.get(Sql);
  const before = await dropped();
  // More than a company may have of the connections at once.
  const busy = inRequestScope({ ...caller, isAbandoned: () => false }, () =>
    Array.from({ length: 6 }, () => sql.rows('select pg_sleep(0.5)')),
  );
  await inRequestScope(caller, () => {
    log.note(answered());
    return log.flush();
  });
  expect(await dropped()).toBe(before);
  expect((await list()).data).toHaveLength(1);
  await Promise.all(busy);
});

it('drops and counts requests that the database refuses', async () => {
  const before = await dropped();
  log.note(answered({ requestId: 'with\0NUL' }));
  await log.flush();
  log.note(answered());
  await log.flush();
  expect((await dropped()) - before).toBe(1);
  expect((await list()).pagination.total).toBe(1);
});

it('deletes requests after 30 days', async () => {
  const signal = new AbortController().signal;
  const purge = () => context.get(PurgeRequestLog).execute(signal);
  await context.database.query('truncate request_log');
  for (let count = 0; count < 1_500; count++) log.note(answered());
  await log.flush();
  log.note(answered({ at: new Date('2026-12-01T00:00:00Z') }));
  await log.flush();
  clock.set(new Date(Date.parse('2026-11-20T10:00:00Z') + 30 * DAY_MS));
  await purge();
  expect((await list()).pagination.total).toBe(1_501);
  clock.advance(1_000);
  await purge();
  expect((await list()).pagination.total).toBe(1);
});

it('writes nothing if it is switched off', async () => {
  const off = new RequestLog(
    { ...context.config, requestLogRetentionMs: 0 },
    context.get(Sql),
    context.get(Log),
  );
  off.note(answered());
  await off.close();
  expect((await list()).pagination.total).toBe(0);
});
