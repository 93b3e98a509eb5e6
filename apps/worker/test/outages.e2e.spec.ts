import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answered, percentile, queueStores, until } from '@counterfoil/test-harness';
import { FaultSite, outcomeOf } from './fault-site';

const BACK_WITHIN_MS = 10_000;
const REDIS_SILENCE_MS = 15_000;
/** No call waits longer for Redis, in addition to its usual duration. */
const REDIS_PATIENCE_MS = 250;
const UNSIGNALLED_MS = 2_500;
/** Far less than the silence, which is the wait of a call without a limit. */
const AT_ONCE_MS = 4_000;

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

  if (store.kind === 'redis') {
    it('the API issues at once without Redis, and every event arrives when Redis is back', async () => {
      await site.redis?.cut();
      const issued: string[] = [];
      for (let count = 0; count < 20; count++) {
        const started = Date.now();
        const { status, body } = await site.issue();
        expect(status).toBe(201);
        expect(Date.now() - started).toBeLessThan(AT_ONCE_MS);
        issued.push(body.visibleId);
      }
      expect(await site.service.request('GET', '/health/ready')).toMatchObject({ status: 200 });
      // Workers look for events themselves, more often than the sweep, which runs every five seconds.
      for (let count = 0; count < 3; count++) {
        const { visibleId } = (await site.issue()).body;
        await until('an event', () => site.hasArrived(visibleId), UNSIGNALLED_MS);
      }
      await site.redis?.mend();
      await until('every event', () => issued.every(site.hasArrived), 30_000);
    });

    it.each([
      ['goes on', false],
      ['has forgotten its connections', true],
    ])('no call waits for a silent Redis, and all work after it %s', async (_, forgets) => {
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
      expect(slowestMs).toBeLessThan(AT_ONCE_MS);
    });

    it.each([
      ['goes on', false],
      ['has forgotten its connections', true],
    ])('a text is read without waiting for a silent Redis, and at once after it %s', async (_, forgets) => {
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
    });

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
      expect(range.tookMs).toBeLessThan(AT_ONCE_MS);
      for (const name of ['test', 'replay', 'resume']) {
        const [before, during] = [usual, silent].map((all) => all.map((tookMs) => tookMs[name] ?? NaN));
        // The minimum, because the machine may be busy during some of the calls.
        expect(Math.min(...(during ?? []))).toBeLessThan(
          REDIS_PATIENCE_MS + Math.max(...(before ?? [])) + 50,
        );
        expect(Math.max(...(during ?? []))).toBeLessThan(AT_ONCE_MS);
      }
      const hasArrived = (id: string) => site.receiver.received.some(({ body }) => body.includes(id));
      await until('every event', () => sent.every(hasArrived), BACK_WITHIN_MS);
    });
  }

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
