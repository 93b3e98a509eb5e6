import { DestinationLoads, type LaneToDestination } from './destination';
import {
  COMPANY_SLOTS,
  DESTINATION_SLOTS,
  PROVEN_SLOTS,
  UNWELCOME_BURST,
  UNWELCOME_PER_SECOND,
  type Visit,
} from './destination-load';

const VICTIM = ['93.184.216.34'];
const ELSEWHERE = ['198.51.100.7'];

const aLane = (changes: Partial<LaneToDestination>): LaneToDestination => ({
  ...{
    endpointId: 'we_1',
    companyId: 1,
    destinations: VICTIM,
    inFlight: 0,
    window: 32,
    slow: false,
    proven: false,
  },
  ...changes,
});

const aVisit = (companyId = 1, changes: Partial<Visit> = {}): Visit => ({
  ...{ destinations: VICTIM, companyId, proven: false },
  ...changes,
});

/** Starts as many deliveries as possible, for many companies in turn. Returns their number. */
function fill(loads: DestinationLoads, now: number, changes: Partial<Visit> = {}): number {
  let begun = 0;
  for (let refused = 0, company = 1; refused < 8; company = 1 + (company % 8)) {
    const entered = loads.enter(aVisit(company, changes), now);
    refused = entered ? 0 : refused + 1;
    begun += entered ? 1 : 0;
  }
  return begun;
}

/** Sends deliveries that fail at once until no more may start. Returns their number. */
function drain(loads: DestinationLoads, now: number, companyId = 8): number {
  let sent = 0;
  for (; loads.enter(aVisit(companyId), now); sent += 1) loads.leave(aVisit(companyId), false, now);
  return sent;
}

describe('the deliveries of several workers to one destination', () => {
  let workers: number;
  const loadsOf = (count: number) => Array.from({ length: count }, () => new DestinationLoads(() => workers));
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

  it.each([1, 2, 3, 7])('have a common limit: %d', (count) => {
    workers = count;
    const expectAlmost = (counts: readonly number[], bound: number) => {
      expect(sum(counts)).toBeLessThanOrEqual(bound);
      // Each share is rounded down, and so is the addition for proven lanes.
      expect(sum(counts)).toBeGreaterThan(bound - 2 * count);
    };
    for (const proven of [true, false]) {
      const most = DESTINATION_SLOTS + (proven ? PROVEN_SLOTS : 0);
      const begun = loadsOf(count).map((loads) => fill(loads, 0, { proven }));
      expectAlmost(begun, most);
    }
    const drained = loadsOf(count);
    const burst = drained.map((loads) => drain(loads, 0));
    expectAlmost(burst, UNWELCOME_BURST);
    const afterASecond = drained.map((loads) => drain(loads, 1_000));
    expectAlmost(afterASecond, UNWELCOME_PER_SECOND);
    const ofOne = (loads: DestinationLoads) => {
      let begun = 0;
      while (loads.enter(aVisit(1, { proven: true }), 0)) begun += 1;
      return begun;
    };
    expectAlmost(loadsOf(count).map(ofOne), COMPANY_SLOTS);
  });

  it('have new limits when a worker is added or removed', () => {
    workers = 1;
    const loads = new DestinationLoads(() => workers);
    expect(fill(loads, 0)).toBe(DESTINATION_SLOTS);
    workers = 2;
    for (let ended = 0; ended < DESTINATION_SLOTS / 2; ended++) loads.leave(aVisit(1 + (ended % 8)), true, 0);
    expect(fill(loads, 600_000)).toBe(0);
    workers = 1;
    expect(fill(loads, 1_200_000)).toBe(DESTINATION_SLOTS / 2);
  });

  it('are at least one for each worker', () => {
    workers = 10_000;
    expect(fill(new DestinationLoads(() => workers), 0)).toBe(1);
  });
});

describe('the deliveries of a worker to one destination', () => {
  it.each([true, false])(
    'are limited over all companies, independently of other destinations; proven: %s',
    (proven) => {
      const loads = new DestinationLoads();
      const most = DESTINATION_SLOTS + (proven ? PROVEN_SLOTS : 0);
      expect(fill(loads, 0, { proven })).toBe(most);
      expect(fill(loads, 600_000, { proven })).toBe(0);
      expect(fill(loads, 600_000, { proven, destinations: ELSEWHERE })).toBe(most);
    },
  );

  it.each([true, false])('are limited for one company; proven: %s', (proven) => {
    const loads = new DestinationLoads();
    for (let begun = 0; begun < COMPANY_SLOTS; begun++)
      expect(loads.enter(aVisit(1, { proven }), 0)).toBe(true);
    expect(loads.enter(aVisit(1, { proven }), 0)).toBe(false);
    expect(loads.enter(aVisit(2, { proven }), 0)).toBe(true);
  });

  it.each([
    ['acknowledged on connections that are kept, are as many as can be', true, 10_000],
    ['not acknowledged, are so many a second', false, UNWELCOME_BURST + 10 * UNWELCOME_PER_SECOND],
  ])('that are %s', (_, welcome, expected) => {
    const loads = new DestinationLoads();
    let sent = 0;
    for (let now = 0; now <= 10_000; now += 1) {
      if (!loads.enter(aVisit(), now)) continue;
      loads.leave(aVisit(), welcome, now);
      sent += 1;
    }
    expect(sent).toBeGreaterThanOrEqual(expected - 1);
    expect(sent).toBeLessThanOrEqual(expected + 1);
  });

  it('count for every possible address of the connection', () => {
    const loads = new DestinationLoads();
    expect(fill(loads, 0, { destinations: [...ELSEWHERE, ...VICTIM] })).toBe(DESTINATION_SLOTS);
    expect(loads.enter(aVisit(), 0)).toBe(false);
    expect(loads.enter(aVisit(1, { destinations: ELSEWHERE }), 0)).toBe(false);
  });

  it('of a proven lane need no token, and give none to others', () => {
    const loads = new DestinationLoads();
    expect(drain(loads, 0)).toBe(UNWELCOME_BURST);
    const proven = aVisit(1, { proven: true });
    for (let sent = 0; sent < 1_000; sent++) {
      expect(loads.enter(proven, 0)).toBe(true);
      loads.leave(proven, true, 0);
    }
    expect(drain(loads, 0)).toBe(0);
    expect(drain(loads, 1_000)).toBe(UNWELCOME_PER_SECOND);
  });
});

describe('free slots at a destination', () => {
  /** Fills a destination until only this many slots are left. */
  function givenRoom(room: number, company = 9): DestinationLoads {
    const loads = new DestinationLoads();
    for (let begun = 0; begun < UNWELCOME_BURST - room; begun++)
      loads.enter(aVisit(company + (begun % 4)), 0);
    return loads;
  }

  const sharesOf = (loads: DestinationLoads, lanes: readonly LaneToDestination[], now = 0) => {
    const shares = loads.share(lanes, now);
    return lanes.map((lane) => shares.get(lane));
  };

  it('are divided equally between companies, however many endpoints each has', () => {
    const many = Array.from({ length: 50 }, (_, index) => aLane({ endpointId: `we_${index}` }));
    const one = aLane({ endpointId: 'we_other', companyId: 2 });
    const shares = sharesOf(givenRoom(20), [...many, one]);
    expect(shares.at(-1)).toBe(10);
    expect(shares.slice(0, -1).filter((share) => share === 1)).toHaveLength(10);
  });

  it('go first to a company without deliveries in flight there', () => {
    const lanes = [aLane({ companyId: 9 }), aLane({ companyId: 1 })];
    expect(sharesOf(givenRoom(5), lanes)).toEqual([0, 5]);
  });

  it('go first to a company that was acknowledged there', () => {
    const loads = givenRoom(30);
    for (let sent = 0; sent < 25; sent++) {
      loads.enter(aVisit(), 0);
      loads.leave(aVisit(), false, 0);
    }
    const lanes = [aLane({ companyId: 1 }), aLane({ companyId: 2 })];
    expect(sharesOf(loads, lanes)).toEqual([0, 5]);
    expect(sharesOf(loads, lanes, 60_000)).toEqual([15, 15]);
  });

  it('are for proven lanes if no tokens are left, of the same and of another company', () => {
    const loads = new DestinationLoads();
    drain(loads, 0, 1);
    const lanes = [aLane({}), aLane({ proven: true }), aLane({ companyId: 2, proven: true })];
    expect(sharesOf(loads, lanes)).toEqual([0, 32, 32]);
    expect(sharesOf(loads, [...lanes, aLane({ companyId: 2 })], 50)).toEqual([0, 32, 32, 10]);
  });

  it('do not depend on other destinations, nor on unknown ones', () => {
    const lanes = [aLane({}), aLane({ destinations: ELSEWHERE }), aLane({ destinations: [] })];
    expect(sharesOf(givenRoom(0), lanes)).toEqual([0, 32, undefined]);
  });
});
