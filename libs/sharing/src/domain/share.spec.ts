import { expiryOf } from './share';

const NOW = new Date('2026-11-27T09:30:00Z');
const at = (expiresAt: string) => ({ expiresInDays: null, expiresAt: new Date(expiresAt) });

describe('the expiry of a link', () => {
  it('is the given time, that many days ahead, or 30 days ahead', () => {
    expect(expiryOf(at('2026-11-27T09:30:01Z'), NOW)).toEqual(new Date('2026-11-27T09:30:01Z'));
    expect(expiryOf({ expiresInDays: 2, expiresAt: null }, NOW)).toEqual(new Date('2026-11-29T09:30:00Z'));
    expect(expiryOf({ expiresInDays: null, expiresAt: null }, NOW)).toEqual(new Date('2026-12-27T09:30:00Z'));
    expect(expiryOf(at('2027-11-28T09:30:00Z'), NOW)).toEqual(new Date('2027-11-28T09:30:00Z'));
  });

  it.each([
    ['now', at('2026-11-27T09:30:00Z'), 'must be in the future'],
    ['more than 366 days ahead', at('2027-11-28T09:30:00.001Z'), 'must be at most 366 days ahead'],
    [
      'given twice',
      { ...at('2026-11-28T00:00:00Z'), expiresInDays: 1 },
      'must be left out if expiresInDays is sent',
    ],
  ])('cannot be %s', (_, lifetime, problem) => {
    expect(() => expiryOf(lifetime, NOW)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED', details: [{ field: 'expiresAt', problem }] }),
    );
  });
});
