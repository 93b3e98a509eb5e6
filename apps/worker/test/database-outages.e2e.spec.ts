import { setTimeout as sleep } from 'node:timers/promises';
import { POSTGRESQL, until } from '@counterfoil/test-harness';
import { FaultSite, type Outcome, outcomeOf } from './fault-site';

const SILENCE_MS = 25_000;
/**
 * It ends before any client time limit, so only the server's answer shows that it has dropped the
 * connections.
 */
const SHORT_SILENCE_MS = 3_000;
/**
 * Other tests run beside these, so the bounds are wider than the 15 and 10 s that the trial `faults` checks with nothing
 * beside it. A call without a limit is answered after the silence, so the first bound is shorter than that.
 */
const ANSWERED_WITHIN_MS = SILENCE_MS - 5_000;
const BACK_WITHIN_MS = 20_000;
/** From the default of `WEBHOOK_TIMEOUT` plus its margin. */
const LEASE_MS = 16_000;

describe.each([POSTGRESQL])('with the $kind queue, during an outage of the database', (store) => {
  let site: FaultSite;

  beforeAll(async () => {
    site = await FaultSite.start(store);
  });
  afterAll(() => site?.close());

  it('the API answers 503 with Retry-After without the database, and recovers by itself', async () => {
    await site.database.cut();
    const refused = await site.issue();
    expect(refused).toMatchObject({ status: 503, body: { success: false, code: 'UNAVAILABLE' } });
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await site.service.request('GET', '/health/ready')).toMatchObject({ status: 503 });
    expect(await site.service.request('GET', '/health/live')).toMatchObject({ status: 200 });

    await site.database.mend();
    const issued = await until('the API to issue again', async () => {
      const answer = await site.issue();
      return answer.status === 201 && answer.body;
    });
    await until('the event', () => site.hasArrived(issued.visibleId), 20_000);
  });

  it.each([
    ['goes on', false, SILENCE_MS],
    ['has forgotten its connections', true, SILENCE_MS],
    ['has forgotten its connections in a moment', true, SHORT_SILENCE_MS],
  ])(
    'every call is answered in time while the database is silent, and works after it %s',
    async (_, forgets, silenceMs) => {
      const calls: Promise<Outcome<unknown>>[] = [];
      const begun = await site.issue();
      const fileId = await site.service.upload(`Total: ${silenceMs} ${forgets}`);
      site.database.silence();
      const started = Date.now();
      while (Date.now() - started < silenceMs) {
        calls.push(outcomeOf(site.issue()), outcomeOf(site.service.request('GET', '/documents')));
        calls.push(outcomeOf(site.service.request('GET', '/health/ready')));
        calls.push(outcomeOf(site.upload()), outcomeOf(site.extract(fileId)));
        await sleep(500);
      }
      site.database.speak(forgets);
      const back = Date.now();
      const soon = async (what: string, isSo: () => Promise<boolean> | boolean): Promise<void> => {
        await until(what, isSo, BACK_WITHIN_MS - (Date.now() - back));
      };
      await soon(
        'the API to read',
        async () => (await site.service.request('GET', '/documents')).status === 200,
      );
      let last = '';
      await soon('the API to issue', async () => {
        const { status, body } = await site.issue();
        last = body.visibleId;
        return status === 201;
      });
      await soon('the events', () => [begun.body.visibleId, last].every(site.hasArrived));
      const outcomes = await Promise.all(calls);
      expect(outcomes.filter(({ status }) => ![201, 200, 503].includes(status))).toEqual([]);
      expect(outcomes.filter(({ status, retryAfter }) => status === 503 && !retryAfter)).toEqual([]);
      expect(Math.max(...outcomes.map(({ tookMs }) => tookMs))).toBeLessThan(ANSWERED_WITHIN_MS);
    },
  );

  it('a running upload and extraction are answered in time when the database falls silent', async () => {
    const finishUpload = await site.beginUpload();
    const extracted = await site.beginExtraction();
    site.database.silence();
    const silent = Date.now();
    const answered = [finishUpload(), extracted()].map(async (call) => {
      const { status, body, retryAfter } = await call;
      return { status, body, retryAfter, inTime: Date.now() - silent < ANSWERED_WITHIN_MS };
    });
    const unavailable = {
      ...{ status: 503, retryAfter: expect.any(String), inTime: true },
      body: expect.objectContaining({ code: 'UNAVAILABLE' }),
    };
    expect(await Promise.all(answered)).toEqual([unavailable, unavailable]);
    site.database.speak();
    const isUploaded = async () => (await site.upload()).status === 201;
    await until('the API to take uploads', isUploaded, BACK_WITHIN_MS);
  });

  it.each([
    ['shorter', 3_000],
    ['longer', 18_000],
  ])(
    'acknowledged deliveries are not sent again after a silence that is %s than a lease',
    async (_, silenceMs) => {
      let silent: Promise<void> | undefined;
      site.receiver.answerWith((_event, response) => {
        if (!silent) {
          site.database.silence();
          silent = sleep(silenceMs).then(() => site.database.speak(true));
        }
        response.end('ok');
      });
      const { visibleId } = await until(
        'the API to issue',
        async () => {
          const answer = await site.issue();
          return answer.status === 201 && answer.body;
        },
        BACK_WITHIN_MS,
      );
      await until('the silence', () => silent !== undefined, BACK_WITHIN_MS);
      await silent;
      site.receiver.answerWith((_event, response) => response.end('ok'));
      await until(
        'it to be recorded',
        async () => {
          const [row] = await site.service.database.query<{ state: string }>(
            `select d.state from webhook_deliveries d join outbox_events e on e.id = d.event_id where e.body like $1`,
            [`%${visibleId}%`],
          );
          return row?.state === 'delivered';
        },
        BACK_WITHIN_MS,
      );
      await sleep(LEASE_MS);
      expect(site.receiver.received.filter(({ body }) => body.includes(visibleId))).toHaveLength(1);
    },
  );
});
