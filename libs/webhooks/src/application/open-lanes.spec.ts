import { DestinationLoads } from '../domain/destination';
import type { Allotment } from '../domain/lane';
import { type OpenLane, OpenLanes, type Standing } from './open-lanes';

const CLAIMED_AT_ONCE = 10;

describe('lanes in trouble', () => {
  let lanes: OpenLanes;

  beforeEach(() => {
    lanes = new OpenLanes(new DestinationLoads(), 300);
  });

  function givenLane(endpointId: string, companyId: number) {
    lanes.wake({ endpointId, companyId });
    return lanes.find(endpointId)!;
  }

  function givenTroubled(count: number): void {
    for (let n = 0; n < count; n++) givenLane(`troubled-${n}`, 100 + n).note('slow');
  }

  /** Claims the allotted slots, finds nothing due, and makes the lanes due again at once. */
  function claim(): readonly Allotment[] {
    const { allotments } = lanes.allot('troubled');
    const wanted = allotments.map(({ lane, slots }) => ({ endpointId: lane.endpointId, slots }));
    const claimedLanes = lanes.beginClaim(wanted);
    lanes.noteClaim(claimedLanes, { claimed: [], cut: [] });
    lanes.endClaim(claimedLanes);
    for (const { lane } of claimedLanes) lanes.fallDue(lane);
    return allotments;
  }

  it('are served, whatever else their company has in flight', () => {
    lanes.begin(givenLane('busy', 1));
    givenTroubled(60);
    givenLane('one', 1).note('slow');
    const seen = new Set<string>();
    for (let turn = 0; turn * CLAIMED_AT_ONCE <= 61; turn++) {
      for (const { lane } of claim()) seen.add(lane.endpointId);
    }
    expect(seen).toContain('one');
    expect(seen.size).toBe(61);
  });

  it('have slots of their own before others get more', () => {
    givenTroubled(2 * CLAIMED_AT_ONCE);
    const withTwo = Array.from({ length: CLAIMED_AT_ONCE }, (_, n) => lanes.find(`troubled-${n}`)!);
    for (const lane of withTwo) for (const _ of [1, 2]) lanes.begin(lane);
    expect(claim().map(({ lane }) => lane.endpointId)).toEqual(
      Array.from({ length: CLAIMED_AT_ONCE }, (_, n) => `troubled-${CLAIMED_AT_ONCE + n}`),
    );
  });
});

describe('very many attempts in flight', () => {
  const MORE_THAN_BEGIN = 3_000;

  it.each([
    ['troubled', ['new', 'well']],
    ['new', ['well']],
  ] as const)('of lanes that are %s leave room for lanes that are %s', (standing, others) => {
    const lanes = new OpenLanes(new DestinationLoads(), 300);
    const given = (name: string, as: Standing): OpenLane => {
      lanes.wake({ endpointId: name, companyId: 1 });
      const lane = lanes.find(name)!;
      if (as !== 'new') lane.note(as === 'well' ? 'prompt' : 'slow');
      return lane;
    };
    for (let n = 0; n < MORE_THAN_BEGIN; n++) given(`hanging-${n}`, standing);
    for (
      let { allotments } = lanes.allot(standing);
      allotments.length > 0;
      { allotments } = lanes.allot(standing)
    ) {
      for (const { lane, slots } of allotments)
        for (let begun = 0; begun < slots; begun++) lanes.begin(lanes.find(lane.endpointId)!);
    }
    for (const other of others) {
      const lane = given(`one-${other}`, other);
      expect(lanes.allot(other).allotments.map(({ lane: { endpointId } }) => endpointId)).toEqual([
        lane.endpointId,
      ]);
    }
  });
});
