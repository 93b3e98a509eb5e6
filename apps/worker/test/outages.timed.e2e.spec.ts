import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answered, percentile, queueStores, until } from '@counterfoil/test-harness';
import { FaultSite, type Outcome, outcomeOf } from './fault-site';

const SILENCE_MS = 25_000;
/**
 * It ends before any client time limit, so only the server's answer shows that it has dropped the
 * connections.
 */
const SHORT_SILENCE_MS = 3_000;
const ANSWERED_WITHIN_MS = 15_000;
const BACK_WITHIN_MS = 10_000;
/** From the default of `WEBHOOK_TIMEOUT` plus its margin. */
const LEASE_MS = 16_000;
const REDIS_SILENCE_MS = 15_000;
/** No call waits longer for Redis, in addition to its usual duration. */
const REDIS_PATIENCE_MS = 250;
const AT_ONCE_MS = 1_000;

async function refusesConnections(url: string): Promise<boolean> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const refused = await once(socket, 'connect').then(
    () => false,
    () => true,
  );
  socket.destroy();
  return refused;
}

describe.each(queueStores())('with the $kind queue, during an outage', (store) => {
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
    90_000,
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
  }, 60_000);

  if (store.kind === 'redis') {
    it('the API issues at once without Redis, and every event arrives when Redis is back', async () => {
      await site.redis?.cut();
      const issued: string[] = [];
      for (let count = 0; count < 20; count++) {
        const started = Date.now();
        const { status, body } = await site.issue();
        expect(status).toBe(201);
        expect(Date.now() - started).toBeLessThan(1_000);
        issued.push(body.visibleId);
      }
      expect(await site.service.request('GET', '/health/ready')).toMatchObject({ status: 200 });
      await site.redis?.mend();
      await until('every event', () => issued.every(site.hasArrived), 30_000);
    });

    it.each([
      ['goes on', false],
      ['has forgotten its connections', true],
    ])(
      'no call waits for a silent Redis, and all work after it %s',
      async (_, forgets) => {
        site.redis?.silence();
        const started = Date.now();
        const issued: string[] = [];
        let slowestMs = 0;
        const timed = async <Answer>(call: Promise<Answered<Answer>>): Promise<Answer> => {
          const { status, tookMs, body } = await outcomeOf(call);
          expect(status).toBe(201);
          slowestMs = Math.max(slowestMs, tookMs);
          return body;
        };
        while (Date.now() - started < REDIS_SILENCE_MS) {
          issued.push((await timed(site.issue())).visibleId);
          await sleep(250);
        }
        const { retainerId } = await timed(site.createRetainer());
        const { tokenId } = await timed(site.saveSlowCard());
        const { chargeId } = await timed(site.charge(tokenId));
        const large = await timed(site.issueLarge());
        site.redis?.speak(forgets);
        const back = Date.now();
        const soon = (what: string, isSo: () => Promise<boolean> | boolean): Promise<unknown> =>
          until(what, isSo, BACK_WITHIN_MS - (Date.now() - back));
        await soon('every event', () => issued.every(site.hasArrived));
        await soon('the document of the retainer', () => site.hasBilled(retainerId));
        await soon('the charge', () => site.isSettled(chargeId));
        await soon('the allocation number', () => site.hasNumber(large.id));
        // Signals work again, so that delivery does not wait for the sweep.
        const { visibleId } = (await site.issue()).body;
        await until('an event', () => site.hasArrived(visibleId), AT_ONCE_MS);
        expect(slowestMs).toBeLessThan(REDIS_PATIENCE_MS + 750);
      },
      60_000,
    );
  }

  if (store.kind === 'redis') {
    it.each([
      ['goes on', false],
      ['has forgotten its connections', true],
    ])(
      'a text is read without waiting for a silent Redis, and at once after it %s',
      async (_, forgets) => {
        const read = async () => {
          const { status, tookMs } = await site.readText();
          expect(status).toBe(200);
          return tookMs;
        };
        // The reader processes are running.
        await read();
        const quiet = [await read(), await read(), await read(), await read(), await read()];
        const isAsBefore = (tookMs: number) => tookMs < Math.max(...quiet) + REDIS_PATIENCE_MS;
        site.redis?.silence();
        const during: number[] = [];
        for (const started = Date.now(); Date.now() - started < REDIS_SILENCE_MS;) during.push(await read());
        site.redis?.speak(forgets);
        await until('texts to be read as before', async () => isAsBefore(await read()), BACK_WITHIN_MS);
        // The median, because the machine may be busy during some of the calls.
        expect(percentile(during, 0.5)).toBeLessThan(Math.max(...quiet) + REDIS_PATIENCE_MS);
        expect(Math.max(...during)).toBeLessThan(AT_ONCE_MS);
      },
      60_000,
    );

    it('a call that signals the worker waits only a limited time for a silent Redis', async () => {
      const sent: string[] = [];
      const began = new Date();
      /** Returns the duration of each call in ms. */
      const timed = async (): Promise<Record<string, number>> => {
        const test = await outcomeOf(site.sendTestEvent());
        const replay = await outcomeOf(site.replay(test.body.deliveryId));
        const resume = await outcomeOf(site.resume());
        expect([test, replay, resume].map(({ status }) => status)).toEqual([200, 200, 200]);
        sent.push(test.body.eventId);
        return { test: test.tookMs, replay: replay.tookMs, resume: resume.tookMs };
      };
      const timedThrice = async () => [await timed(), await timed(), await timed()];
      const usual = await timedThrice();
      site.redis?.silence();
      const range = await outcomeOf(site.replayAllSince(began));
      const silent = await timedThrice();
      site.redis?.speak();
      expect(range.status).toBe(200);
      expect(range.tookMs).toBeLessThan(REDIS_PATIENCE_MS + 750);
      for (const name of ['test', 'replay', 'resume']) {
        const [before, during] = [usual, silent].map((all) => all.map((tookMs) => tookMs[name] ?? NaN));
        // The minimum, because the machine may be busy during some of the calls.
        expect(Math.min(...(during ?? []))).toBeLessThan(
          REDIS_PATIENCE_MS + Math.max(...(before ?? [])) + 50,
        );
        expect(Math.max(...(during ?? []))).toBeLessThan(REDIS_PATIENCE_MS + 750);
      }
      const hasArrived = (id: string) => site.receiver.received.some(({ body }) => body.includes(id));
      await until('every event', () => sent.every(hasArrived), BACK_WITHIN_MS);
    }, 60_000);
  }

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
    90_000,
  );

  it('a running request is finished when the API is told to stop', async () => {
    const held = site.service.database.hold('select lock_documents(id) from companies');
    await held.ready;
    const answer = site.issue();
    await until('the request to wait for the documents of its company', async () => {
      const waiting = await site.service.database.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return waiting.length > 0;
    });
    const stopped = site.service.api.kill('SIGTERM');
    await until('the API to take no new connection', () => refusesConnections(site.service.url));
    await held.release();
    expect((await answer).status).toBe(201);
    expect(await stopped).toBe(0);
  });
});
