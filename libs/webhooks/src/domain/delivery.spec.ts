import { afterAttempt, type AttemptOutcome } from './delivery';

const MINUTE = 60_000;
const TABLE = [1, 5, 30, 120, 720].map((minutes) => minutes * MINUTE);
const FAILED: AttemptOutcome = { status: 500, failure: 'status', response: '' };
const DONE: AttemptOutcome = { status: 204, failure: null, response: '' };

describe('what follows an attempt (contract §15.11)', () => {
  it('makes six attempts with the delays of the table, and then drops', () => {
    let at = Date.parse('2026-11-21T00:00:00Z');
    const waits: number[] = [];
    for (let attempt = 1; ; attempt++) {
      const { state, nextAttemptAt } = afterAttempt(FAILED, attempt, new Date(at), TABLE);
      if (!nextAttemptAt) {
        expect([state, attempt]).toEqual(['dropped', 6]);
        break;
      }
      expect(state).toBe('waiting');
      waits.push(nextAttemptAt.getTime() - at);
      at = nextAttemptAt.getTime();
    }
    expect(waits).toEqual(TABLE);
  });

  it.each([1, 3, 6])('ends with the first acknowledgement, at attempt %d', (attempt) => {
    expect(afterAttempt(DONE, attempt, new Date(), TABLE)).toEqual({
      state: 'delivered',
      nextAttemptAt: null,
    });
  });
});
