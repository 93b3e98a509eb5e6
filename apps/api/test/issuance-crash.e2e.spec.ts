import { FAULT_POINTS } from '@counterfoil/config';
import { startApiService, type TestService } from '@counterfoil/test-harness';
import { closeConnections } from './http-exchange';
import { startLog } from './trials/feed-log';
import { CrashSite, faultsOf } from './trials/issuance-crash';
import { MeetingPlace, rounds } from './trials/issuance-rounds';

let service: TestService;
let urls: readonly string[];

beforeAll(async () => {
  service = await startApiService({ LOG_LEVEL: 'silent' });
  await startLog(service.database);
  urls = [service.url, (await service.startApiProcess()).url];
});

afterAll(async () => {
  closeConnections();
  await service.stop();
});

describe('a process killed while it issues a document', () => {
  let site: CrashSite;
  beforeAll(async () => {
    site = await CrashSite.open(service);
  });

  it.each(FAULT_POINTS.issuance)('at %s: the retry issues one document at once', async (faultPoint) => {
    // This shape settles other documents, so it reaches every fault point.
    const crash = await site.crash(faultPoint, 'covering');
    expect(faultsOf(crash)).toEqual([]);
    expect(crash).toMatchObject({ reached: true, endedBy: 'SIGKILL' });
    expect(crash.replayed).toBe(faultPoint === 'issuance.committed');
  });
});

describe('50 concurrent calls', () => {
  it.each([1, 2] as const)('with one key and %d bodies issue one document', async (bodies) => {
    const place = await MeetingPlace.open(service, urls);
    expect(await rounds(20, (turn) => place.sameKey(turn, bodies))).toMatchObject({ faults: [] });
    expect(await place.documents()).toBe(20);
    expect(await place.inconsistencies()).toEqual([]);
  });

  it('with one externalId and 50 keys issue one document, and each key keeps its response', async () => {
    const place = await MeetingPlace.open(service, urls);
    expect(await rounds(3, (turn) => place.sameExternalId(turn))).toMatchObject({ faults: [] });
    expect(await place.documents()).toBe(3);
    expect(await place.inconsistencies()).toEqual([]);
  });
});

it.each(['key', 'externalId'] as const)('settle a document once if they have one %s', async (under) => {
  const place = await MeetingPlace.open(service, urls);
  expect(await rounds(21, (turn) => place.settlingOnce(turn, under))).toMatchObject({ faults: [] });
  expect(await place.documents()).toBe(42);
  expect(await place.inconsistencies()).toEqual([]);
});

it('leave no gap in the numbers, whatever is refused or fails', async () => {
  const place = await MeetingPlace.open(service, urls);
  const { tally, faults } = await place.mixed(700, 20);
  expect(faults).toEqual([]);
  expect(await place.documents()).toBe(tally['201']);
  expect(await place.inconsistencies()).toEqual([]);
});

it('run a stalled call once, however often it is repeated', async () => {
  const place = await MeetingPlace.open(service, urls);
  const { tally, faults } = await place.stalled(2_000);
  expect(faults).toEqual([]);
  expect(tally).toMatchObject({ '201': 1, '409 REQUEST_IN_PROGRESS': expect.any(Number) });
  expect(await place.documents()).toBe(2);
});

it('issue once if the database ends the transaction at its commit, and the retry succeeds at once', async () => {
  const place = await MeetingPlace.open(service, urls);
  expect(await place.backendLost(1)).toMatchObject({ faults: [] });
  expect(await place.documents()).toBe(1);
  expect(await place.inconsistencies()).toEqual([]);
});
