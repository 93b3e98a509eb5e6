import fc from 'fast-check';
import { shareSlots, type Lane, SLOTS_MAX, SLOW_SLOTS_MAX, OWN_SLOTS, windowAfter } from './lane';

const lane = (endpointId: string, values: Partial<Lane> = {}): Lane => ({
  endpointId,
  companyId: 1,
  inFlight: 0,
  window: OWN_SLOTS,
  slow: false,
  ...values,
});

const allotted = (wanting: readonly Lane[], shared: number, busy: readonly Lane[] = wanting) =>
  Object.fromEntries(
    shareSlots(wanting, busy, shared).map(({ lane: { endpointId }, slots }) => [endpointId, slots]),
  );

describe('the window of a lane', () => {
  it('grows with each prompt answer while it is fully used, up to a limit', () => {
    expect(windowAfter(lane('a', { window: 4, inFlight: 4 }), 'prompt')).toBe(5);
    expect(windowAfter(lane('a', { window: 4, inFlight: 3 }), 'prompt')).toBe(4);
    expect(windowAfter(lane('a', { window: SLOTS_MAX, inFlight: SLOTS_MAX }), 'prompt')).toBe(SLOTS_MAX);
  });

  it('grows less for a slow endpoint', () => {
    expect(windowAfter(lane('a', { window: 4, inFlight: 4 }), 'slow')).toBe(5);
    expect(windowAfter(lane('a', { window: 30, inFlight: 30 }), 'slow')).toBe(SLOW_SLOTS_MAX);
  });

  it('falls back to the own slots without an answer', () => {
    expect(windowAfter(lane('a', { window: 30, inFlight: 30 }), 'none')).toBe(OWN_SLOTS);
  });
});

describe('sharing slots', () => {
  it('gives an endpoint its own slots, whatever others use', () => {
    const hanging = Array.from({ length: 40 }, (_, index) =>
      lane(`hanging ${index}`, { inFlight: SLOTS_MAX, window: SLOTS_MAX }),
    );
    expect(allotted([lane('a')], 100, hanging)).toEqual({ a: OWN_SLOTS });
  });

  it('gives nothing to a lane with a full window', () => {
    expect(allotted([lane('a', { inFlight: 2 }), lane('b', { inFlight: 1 })], 100)).toEqual({ b: 1 });
  });

  it('reserves half of the shared slots for prompt endpoints', () => {
    const slow = lane('slow', { slow: true, window: SLOTS_MAX });
    const prompt = lane('prompt', { companyId: 2, window: SLOTS_MAX });
    expect(allotted([slow], 20)).toEqual({ slow: OWN_SLOTS + 10 });
    expect(allotted([slow, prompt], 40)).toEqual({ slow: OWN_SLOTS + 20, prompt: OWN_SLOTS + 20 });
    const holding = { ...slow, inFlight: OWN_SLOTS + 10 };
    expect(allotted([holding, prompt], 20)).toEqual({ prompt: OWN_SLOTS + 10 });
  });

  it('gives shared slots to companies in turn, however many endpoints one has', () => {
    const many = Array.from({ length: 8 }, (_, index) =>
      lane(`many ${index}`, { companyId: 1, window: SLOTS_MAX }),
    );
    const slots = allotted([...many, lane('one', { companyId: 2, window: SLOTS_MAX })], 16);
    expect(slots['one']).toBe(OWN_SLOTS + 8);
    expect(many.map(({ endpointId }) => slots[endpointId])).toEqual(Array(8).fill(OWN_SLOTS + 1));
  });

  it('gives a freed slot to the company with the fewest', () => {
    const rich = lane('rich', { companyId: 1, inFlight: 20, window: SLOTS_MAX });
    const poor = lane('poor', { companyId: 2, inFlight: OWN_SLOTS, window: SLOTS_MAX });
    expect(allotted([rich, poor], 19)).toEqual({ poor: 1 });
  });

  it('keeps every limit in any state', () => {
    const lanes = fc.array(
      fc.record({
        companyId: fc.integer({ min: 1, max: 4 }),
        window: fc.integer({ min: OWN_SLOTS, max: SLOTS_MAX }),
        slow: fc.boolean(),
        inFlight: fc.integer({ min: 0, max: SLOTS_MAX }),
      }),
      { maxLength: 30 },
    );
    const property = fc.property(lanes, fc.integer({ min: 1, max: 200 }), (values, shared) => {
      const all = values.map((value, index) => lane(`${index}`, value));
      const shares = shareSlots(all, all, shared);
      const slots = new Map(shares.map((share) => [share.lane, share.slots]));
      const sharedAfter = (one: Lane) => Math.max(0, one.inFlight + (slots.get(one) ?? 0) - OWN_SLOTS);
      const sharedBefore = (one: Lane) => Math.max(0, one.inFlight - OWN_SLOTS);
      const sum = (of: (one: Lane) => number) => all.reduce((total, one) => total + of(one), 0);
      expect(sum(sharedAfter)).toBeLessThanOrEqual(Math.max(shared, sum(sharedBefore)));
      for (const one of all) {
        const given = slots.get(one) ?? 0;
        expect(one.inFlight + given).toBeLessThanOrEqual(Math.max(one.window, one.inFlight));
        // Its own slots are always available.
        expect(one.inFlight + given).toBeGreaterThanOrEqual(Math.min(one.window, OWN_SLOTS));
      }
      // No shared slot is unused while a lane could use it.
      const roomOfPrompt = sum((one) =>
        one.slow ? 0 : Math.max(0, one.window - one.inFlight - (slots.get(one) ?? 0)),
      );
      if (roomOfPrompt > 0) expect(sum(sharedAfter)).toBeGreaterThanOrEqual(shared);
      const slowAfter = sum((one) => (one.slow ? sharedAfter(one) : 0));
      const slowBefore = sum((one) => (one.slow ? sharedBefore(one) : 0));
      expect(slowAfter).toBeLessThanOrEqual(Math.max(Math.floor(shared / 2), slowBefore));
    });
    fc.assert(property, { numRuns: 500 });
  });
});
