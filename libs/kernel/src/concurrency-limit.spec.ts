import { ConcurrencyLimit } from './concurrency-limit';

const refused = expect.objectContaining({ code: 'UNAVAILABLE', retryAfterSeconds: expect.any(Number) });

/** Takes slots one by one until none is free. */
function fill(limit: ConcurrencyLimit, companyId: number): (() => void)[] {
  const taken: (() => void)[] = [];
  while (limit.hasRoom(companyId)) taken.push(limit.take(companyId));
  return taken;
}

describe('ConcurrencyLimit', () => {
  it('grants slots in order of arrival up to the bound of the company and the bound in all', () => {
    const limit = new ConcurrencyLimit({ total: 10, perCompany: 6, what: 'tests' });
    expect(fill(limit, 1)).toHaveLength(6);
    expect(fill(limit, 2)).toHaveLength(4);
    expect(() => limit.take(3)).toThrow(refused);
  });

  describe('with a dynamic threshold', () => {
    const given = () =>
      new ConcurrencyLimit({ total: 120, perCompany: 100, dynamicThreshold: true, what: 'tests' });

    it('grants half of the slots to a single company', () => {
      expect(fill(given(), 1)).toHaveLength(60);
    });

    it('grants each further company half of the remaining slots', () => {
      const limit = given();
      const held = [1, 2, 3, 4, 5, 6, 7, 8].map((companyId) => fill(limit, companyId).length);
      expect(held).toEqual([60, 30, 15, 7, 4, 2, 1, 0]);
    });

    it('accepts slots back in parts, each only once', () => {
      const limit = given();
      const leave = limit.take(1, 60);
      expect(limit.hasRoom(1)).toBe(false);
      expect(limit.hasRoom(2, 30)).toBe(true);
      expect(limit.hasRoom(2, 31)).toBe(false);
      leave(20);
      expect(limit.hasRoom(2, 40)).toBe(true);
      expect(limit.hasRoom(2, 41)).toBe(false);
      leave();
      leave();
      leave(10);
      expect(fill(limit, 1)).toHaveLength(60);
    });
  });

  it('holds several slots for one work, until it ends', async () => {
    const limit = new ConcurrencyLimit({ total: 10, perCompany: 6, what: 'tests' });
    let end: () => void = () => undefined;
    const long = limit.hold(1, () => new Promise<void>((resolve) => (end = resolve)), 4);
    await expect(limit.hold(1, () => Promise.resolve(), 3)).rejects.toEqual(refused);
    await limit.hold(1, () => Promise.resolve(), 2);
    end();
    await long;
    expect(fill(limit, 1)).toHaveLength(6);
  });

  it('refuses a request for more slots than exist', () => {
    expect(() => new ConcurrencyLimit({ total: 5, perCompany: 5, what: 'tests' }).take(1, 6)).toThrow(
      refused,
    );
  });
});
