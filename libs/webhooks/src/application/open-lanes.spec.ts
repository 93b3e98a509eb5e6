import { DestinationLoads } from '../domain/destination';
import type { Dealt } from '../domain/lane';
import { OpenLanes } from './open-lanes';

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

  /** Claims what is dealt and finds nothing due; it is due again at once. */
  function claim(): readonly Dealt[] {
    const { dealt } = lanes.deal('troubled');
    const wanted = dealt.map(({ lane, places }) => ({ endpointId: lane.endpointId, places }));
    const asked = lanes.beginClaim(wanted);
    lanes.noteClaim(asked, { claimed: [], cut: [] });
    lanes.endClaim(asked);
    for (const { lane } of asked) lanes.fallDue(lane);
    return dealt;
  }

  it('have their turn, whatever else their company has under way', () => {
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

  it('have places of their own before others have more', () => {
    givenTroubled(2 * CLAIMED_AT_ONCE);
    const withTwo = Array.from({ length: CLAIMED_AT_ONCE }, (_, n) => lanes.find(`troubled-${n}`)!);
    for (const lane of withTwo) for (const _ of [1, 2]) lanes.begin(lane);
    expect(claim().map(({ lane }) => lane.endpointId)).toEqual(
      Array.from({ length: CLAIMED_AT_ONCE }, (_, n) => `troubled-${CLAIMED_AT_ONCE + n}`),
    );
  });
});
