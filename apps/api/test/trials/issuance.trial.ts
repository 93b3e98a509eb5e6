import { FAULT_POINTS } from '@counterfoil/config';
import { Figures, queueStores, startService, type TestService } from '@counterfoil/test-harness';
import { closeConnections } from '../http-exchange';
import { startLog } from './feed-log';
import { type Crash, CrashSite, faultsOf, SHAPES } from './issuance-crash';
import { MeetingPlace, type Outcome, rounds } from './issuance-rounds';

const CRASHES_OF_A_KIND = 3;
const ROUNDS = 1_000;
const EXTERNAL_ID_ROUNDS = 50;
const SETTLING_ROUNDS = 300;
const MIXED_CALLS = 10_000;
const MIXED_CALLERS = 20;
/** Longer than the lock timeout of a statement, so that calls give up during the stall and others start. */
const STALL_MS = 20_000;
const BACKENDS_LOST = 20;

let service: TestService;
let urls: readonly string[];
const figures = new Figures();

beforeAll(async () => {
  service = await startService(queueStores()[0]!, { LOG_LEVEL: 'silent' });
  await startLog(service.database);
  urls = [service.url, (await service.startApiProcess()).url];
});

afterAll(async () => {
  closeConnections();
  await service.stop();
});

function print({ tally, faults }: Outcome): void {
  for (const [name, count] of Object.entries(tally)) figures.add(`answered ${name}`, count);
  figures.add('answers that should not have been', faults.length, '', { atMost: 0 });
}

describe('interrupted issuing', () => {
  it('issues once at whatever fault point the process is killed, and retries at once', async () => {
    figures.heading('kill -9 at every statement boundary of issuance, and the same call again');
    const site = await CrashSite.open(service);
    const crashes: Crash[] = [];
    for (let turn = 0; turn < CRASHES_OF_A_KIND; turn++) {
      for (const point of FAULT_POINTS.issuance) {
        for (const shape of SHAPES) crashes.push(await site.crash(point, shape));
      }
    }
    const reached = crashes.filter((crash) => crash.reached);
    const points = new Set(reached.map(({ faultPoint }) => faultPoint));
    const count = FAULT_POINTS.issuance.length;
    figures.add('processes killed', reached.length);
    figures.add('fault points reached', points.size, ` of ${count}`, { atLeast: count });
    figures.add('retries that replayed', reached.filter(({ replayed }) => replayed).length);
    const slowest = Math.max(...reached.map(({ retriedWithinMs }) => retriedWithinMs));
    figures.add('success after the death, slowest', slowest, ' ms', { below: 1_000 });
    expect(crashes.flatMap(faultsOf)).toEqual([]);
    expect(figures.broken).toEqual([]);
  });

  it('issues once if the database ends the transaction, and retries at once', async () => {
    figures.heading('pg_terminate_backend at the commit, and the same call again');
    const place = await MeetingPlace.open(service, urls);
    const outcome = await rounds(BACKENDS_LOST, (turn) => place.backendLost(turn));
    print(outcome);
    figures.add('documents', await place.documents(), '', { atMost: BACKENDS_LOST });
    expect(outcome.faults).toEqual([]);
    expect(await place.inconsistencies()).toEqual([]);
    expect(figures.broken).toEqual([]);
  });
});

describe('concurrent issuing', () => {
  it.each([1, 2] as const)(
    'issues once for 50 concurrent calls with one key and %d bodies',
    async (bodies) => {
      figures.heading(`${ROUNDS} rounds of 50 calls at once: one key, bodies: ${bodies}`);
      const place = await MeetingPlace.open(service, urls);
      const outcome = await rounds(ROUNDS, (turn) => place.sameKey(turn, bodies));
      print(outcome);
      figures.add('documents', await place.documents(), '', { atMost: ROUNDS });
      expect(outcome.faults).toEqual([]);
      expect(await place.documents()).toBe(ROUNDS);
      expect(await place.inconsistencies()).toEqual([]);
    },
  );

  it('issues once for 50 concurrent calls with one externalId and 50 keys', async () => {
    figures.heading(`${EXTERNAL_ID_ROUNDS} rounds of 50 calls at once: one externalId, 50 keys`);
    const place = await MeetingPlace.open(service, urls);
    const outcome = await rounds(EXTERNAL_ID_ROUNDS, (turn) => place.sameExternalId(turn));
    print(outcome);
    expect(outcome.faults).toEqual([]);
    expect(await place.documents()).toBe(EXTERNAL_ID_ROUNDS);
    expect(await place.inconsistencies()).toEqual([]);
  });

  it.each(['key', 'externalId'] as const)(
    'settles once for 20 concurrent calls with one %s',
    async (under) => {
      figures.heading(`${SETTLING_ROUNDS} rounds of 20 calls at once that settle the same: one ${under}`);
      const place = await MeetingPlace.open(service, urls);
      const outcome = await rounds(SETTLING_ROUNDS, (turn) => place.settlingOnce(turn, under));
      print(outcome);
      expect(outcome.faults).toEqual([]);
      expect(await place.documents()).toBe(2 * SETTLING_ROUNDS);
      expect(await place.inconsistencies()).toEqual([]);
    },
  );

  it('leaves no gap in the numbers, whatever is refused or fails', async () => {
    figures.heading(`${MIXED_CALLS} calls, issued, refused, failed and repeated, ${MIXED_CALLERS} at a time`);
    const place = await MeetingPlace.open(service, urls);
    const outcome = await place.mixed(MIXED_CALLS, MIXED_CALLERS);
    print(outcome);
    expect(outcome.faults).toEqual([]);
    expect(await place.documents()).toBe(outcome.tally['201']);
    expect(await place.inconsistencies()).toEqual([]);
  });

  it('runs a stalled call once, however often it is repeated', async () => {
    figures.heading(`issuance stalled for ${STALL_MS / 1_000} s, and repeated every 250 ms`);
    const place = await MeetingPlace.open(service, urls);
    const outcome = await place.stalled(STALL_MS);
    print(outcome);
    expect(outcome.faults).toEqual([]);
    expect(await place.documents()).toBe(2);
    expect(await place.inconsistencies()).toEqual([]);
  });
});
