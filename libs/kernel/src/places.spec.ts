import { Places } from './places';

const refused = expect.objectContaining({ code: 'UNAVAILABLE', retryAfterSeconds: expect.any(Number) });

/** Takes places, one by one, until there is no room. */
function fill(places: Places, companyId: number): (() => void)[] {
  const taken: (() => void)[] = [];
  while (places.hasRoom(companyId)) taken.push(places.take(companyId));
  return taken;
}

describe('places', () => {
  it('are first come, first served, up to the bound of a company and of all', () => {
    const places = new Places({ inAll: 10, ofCompany: 6, what: 'tests' });
    expect(fill(places, 1)).toHaveLength(6);
    expect(fill(places, 2)).toHaveLength(4);
    expect(() => places.take(3)).toThrow(refused);
  });

  describe('of which every company leaves as many free as it holds', () => {
    const given = () => new Places({ inAll: 120, ofCompany: 100, leavesRoom: true, what: 'tests' });

    it('are half for the only company that takes them', () => {
      expect(fill(given(), 1)).toHaveLength(60);
    });

    it('are halved by each company that takes all it can', () => {
      const places = given();
      const held = [1, 2, 3, 4, 5, 6, 7, 8].map((companyId) => fill(places, companyId).length);
      expect(held).toEqual([60, 30, 15, 7, 4, 2, 1, 0]);
    });

    it('come back, whatever amount they were taken in, and once only', () => {
      const places = given();
      const leave = places.take(1, 60);
      expect(places.hasRoom(1)).toBe(false);
      expect(places.hasRoom(2, 30)).toBe(true);
      expect(places.hasRoom(2, 31)).toBe(false);
      leave(20);
      expect(places.hasRoom(2, 40)).toBe(true);
      expect(places.hasRoom(2, 41)).toBe(false);
      leave();
      leave();
      leave(10);
      expect(fill(places, 1)).toHaveLength(60);
    });
  });

  it('take nothing that is larger than all of them', () => {
    expect(() => new Places({ inAll: 5, ofCompany: 5, what: 'tests' }).take(1, 6)).toThrow(refused);
  });
});
