import fc from 'fast-check';
import { dealPlaces, type Lane, PLACES_MAX, PLACES_MAX_SLOW, PLACES_OWN, windowAfter } from './lane';

const lane = (endpointId: string, values: Partial<Lane> = {}): Lane => ({
  endpointId,
  companyId: 1,
  inFlight: 0,
  window: PLACES_OWN,
  slow: false,
  ...values,
});

const dealt = (wanting: readonly Lane[], shared: number, busy: readonly Lane[] = wanting) =>
  Object.fromEntries(
    dealPlaces(wanting, busy, shared).map(({ lane: { endpointId }, places }) => [endpointId, places]),
  );

describe('the window of a lane', () => {
  it('grows with each prompt answer while the whole of it is in use, up to a limit', () => {
    expect(windowAfter(lane('a', { window: 4, inFlight: 4 }), 'prompt')).toBe(5);
    expect(windowAfter(lane('a', { window: 4, inFlight: 3 }), 'prompt')).toBe(4);
    expect(windowAfter(lane('a', { window: PLACES_MAX, inFlight: PLACES_MAX }), 'prompt')).toBe(PLACES_MAX);
  });

  it('grows less far for one that is slow to answer', () => {
    expect(windowAfter(lane('a', { window: 4, inFlight: 4 }), 'slow')).toBe(5);
    expect(windowAfter(lane('a', { window: 30, inFlight: 30 }), 'slow')).toBe(PLACES_MAX_SLOW);
  });

  it('falls back to the own places when no answer came', () => {
    expect(windowAfter(lane('a', { window: 30, inFlight: 30 }), 'none')).toBe(PLACES_OWN);
  });
});

describe('dealing places', () => {
  it('gives an endpoint its own places, whatever the others hold', () => {
    const hanging = Array.from({ length: 40 }, (_, index) =>
      lane(`hanging ${index}`, { inFlight: PLACES_MAX, window: PLACES_MAX }),
    );
    expect(dealt([lane('a')], 100, hanging)).toEqual({ a: PLACES_OWN });
  });

  it('gives nothing to a lane whose window is full', () => {
    expect(dealt([lane('a', { inFlight: 2 }), lane('b', { inFlight: 1 })], 100)).toEqual({ b: 1 });
  });

  it('leaves half of the shared places to those who answer promptly', () => {
    const slow = lane('slow', { slow: true, window: PLACES_MAX });
    const prompt = lane('prompt', { companyId: 2, window: PLACES_MAX });
    expect(dealt([slow], 20)).toEqual({ slow: PLACES_OWN + 10 });
    expect(dealt([slow, prompt], 40)).toEqual({ slow: PLACES_OWN + 20, prompt: PLACES_OWN + 20 });
    const holding = { ...slow, inFlight: PLACES_OWN + 10 };
    expect(dealt([holding, prompt], 20)).toEqual({ prompt: PLACES_OWN + 10 });
  });

  it('deals the shared places in turn by company, however many endpoints one has', () => {
    const many = Array.from({ length: 8 }, (_, index) =>
      lane(`many ${index}`, { companyId: 1, window: PLACES_MAX }),
    );
    const places = dealt([...many, lane('one', { companyId: 2, window: PLACES_MAX })], 16);
    expect(places['one']).toBe(PLACES_OWN + 8);
    expect(many.map(({ endpointId }) => places[endpointId])).toEqual(Array(8).fill(PLACES_OWN + 1));
  });

  it('gives a place that was freed to the company that has the fewest', () => {
    const rich = lane('rich', { companyId: 1, inFlight: 20, window: PLACES_MAX });
    const poor = lane('poor', { companyId: 2, inFlight: PLACES_OWN, window: PLACES_MAX });
    expect(dealt([rich, poor], 19)).toEqual({ poor: 1 });
  });

  it('keeps every limit, whatever is under way', () => {
    const lanes = fc.array(
      fc.record({
        companyId: fc.integer({ min: 1, max: 4 }),
        window: fc.integer({ min: PLACES_OWN, max: PLACES_MAX }),
        slow: fc.boolean(),
        inFlight: fc.integer({ min: 0, max: PLACES_MAX }),
      }),
      { maxLength: 30 },
    );
    const property = fc.property(lanes, fc.integer({ min: 1, max: 200 }), (values, shared) => {
      const all = values.map((value, index) => lane(`${index}`, value));
      const hands = dealPlaces(all, all, shared);
      const places = new Map(hands.map((hand) => [hand.lane, hand.places]));
      const sharedAfter = (one: Lane) => Math.max(0, one.inFlight + (places.get(one) ?? 0) - PLACES_OWN);
      const sharedBefore = (one: Lane) => Math.max(0, one.inFlight - PLACES_OWN);
      const sum = (of: (one: Lane) => number) => all.reduce((total, one) => total + of(one), 0);
      expect(sum(sharedAfter)).toBeLessThanOrEqual(Math.max(shared, sum(sharedBefore)));
      for (const one of all) {
        const given = places.get(one) ?? 0;
        expect(one.inFlight + given).toBeLessThanOrEqual(Math.max(one.window, one.inFlight));
        // Its own places are always there.
        expect(one.inFlight + given).toBeGreaterThanOrEqual(Math.min(one.window, PLACES_OWN));
      }
      // No shared place is left over while somebody could use it.
      const roomOfPrompt = sum((one) =>
        one.slow ? 0 : Math.max(0, one.window - one.inFlight - (places.get(one) ?? 0)),
      );
      if (roomOfPrompt > 0) expect(sum(sharedAfter)).toBeGreaterThanOrEqual(shared);
      const slowAfter = sum((one) => (one.slow ? sharedAfter(one) : 0));
      const slowBefore = sum((one) => (one.slow ? sharedBefore(one) : 0));
      expect(slowAfter).toBeLessThanOrEqual(Math.max(Math.floor(shared / 2), slowBefore));
    });
    fc.assert(property, { numRuns: 500 });
  });
});
