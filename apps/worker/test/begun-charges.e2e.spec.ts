import { setTimeout as sleep } from 'node:timers/promises';
import { queueStores, type TestService, until } from '@counterfoil/test-harness';
import { FaultSite, type Outcome, outcomeOf } from './fault-site';

const CHARGES = 40;
const APART_MS = 5;
/** The sandbox answers at once, or fails at once. */
const ANSWERED_WITHIN_MS = 15_000;
const SILENCE_MS = 32_000;

/** Whether a charge has been recorded, and its request to the provider waits. */
async function isHeldUp({ database }: TestService): Promise<boolean> {
  const waiting = await database.query(
    `select from pg_locks where relation = 'sandbox_orders'::regclass and not granted`,
  );
  return waiting.length > 0;
}

describe('charges in progress when the database stops answering', () => {
  let site: FaultSite;

  beforeAll(async () => {
    site = await FaultSite.start(queueStores()[0]!);
  });
  afterAll(() => site?.close());

  it('are answered in time, and settled when it is back', async () => {
    const { tokenId } = (await site.saveSlowCard()).body;
    await site.charge(tokenId);
    const calls: Promise<Outcome<{ readonly chargeId: number }>>[] = [];
    const beginCharges = async () => {
      for (let count = 0; count < CHARGES / 2; count++) {
        calls.push(outcomeOf(site.charge(tokenId)));
        await sleep(APART_MS);
      }
    };
    await beginCharges();
    // From here on, the provider does not answer before the silence.
    const provider = site.service.database.hold('lock table sandbox_orders in share mode');
    await provider.ready;
    await beginCharges();
    await until('a charge to wait for the provider', () => isHeldUp(site.service));
    site.database.silence();
    await provider.release();
    const [outcomes] = await Promise.all([Promise.all(calls), sleep(SILENCE_MS)]);
    expect(Math.max(...outcomes.map(({ tookMs }) => tookMs))).toBeLessThan(ANSWERED_WITHIN_MS);
    expect(outcomes.filter(({ status }) => ![201, 503].includes(status))).toEqual([]);
    // At least the charges that waited for the provider.
    expect(outcomes.some(({ status, tookMs }) => status === 201 && tookMs > 5_000)).toBe(true);
    site.database.speak(true);
    const begun = outcomes.filter(({ status }) => status === 201).map(({ body }) => body.chargeId);
    await until(
      'all that was begun to be settled',
      async () => (await Promise.all(begun.map((id) => site.isSettled(id)))).every(Boolean),
      60_000,
    );
  }, 150_000);
});
