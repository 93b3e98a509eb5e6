import { OutcomePoller } from './outcome-poller';
import { failed } from './ports/reading-outcome';
import { type FinishedReading, ReadingRequests } from './ports/reading-requests';

const REQUEST = { id: 7, companyId: 1, source: 'file:a' };
const failure = (message: string) => failed('EXTRACTION_FAILED', message, 'once');
const OWN = failure('own');

/** Creates a poller whose requests have these outcomes. */
function given(finished: readonly FinishedReading[]): OutcomePoller {
  const requests = Object.assign(Object.create(ReadingRequests.prototype) as ReadingRequests, {
    finishedAmong: () => Promise.resolve(finished),
  });
  return new OutcomePoller(requests);
}

it.each([
  ['of another company', { companyId: 2 }],
  ['of another document', { source: 'file:b' }],
])("does not return the outcome %s, which has the request's id after a restore", async (_, other) => {
  const outcomes = given([{ ...REQUEST, ...other, outcome: failure('of another') }]);
  expect(await outcomes.poll(REQUEST, 200, new AbortController().signal)).toBeNull();
});

it('returns the outcome to all waiting callers', async () => {
  const outcomes = given([{ ...REQUEST, outcome: OWN }]);
  const { signal } = new AbortController();
  const waiting = [outcomes.poll(REQUEST, 5_000, signal), outcomes.poll(REQUEST, 5_000, signal)];
  expect(await Promise.all(waiting)).toEqual([OWN, OWN]);
});

it('renews the waits of its callers, and continues if that fails', async () => {
  let renewals = 0;
  const requests = Object.assign(Object.create(ReadingRequests.prototype) as ReadingRequests, {
    finishedAmong: () => Promise.resolve(renewals < 2 ? [] : [{ ...REQUEST, outcome: OWN }]),
    renewWaits: (ids: readonly number[]) => {
      expect(ids).toEqual([REQUEST.id]);
      renewals += 1;
      return renewals === 1 ? Promise.reject(new Error('away')) : Promise.resolve();
    },
  });
  const outcome = new OutcomePoller(requests).poll(REQUEST, 5_000, new AbortController().signal);
  expect(await outcome).toEqual(OWN);
  expect(renewals).toBe(2);
});

it('continues to wait if the database was briefly unavailable', async () => {
  let looks = 0;
  const requests = Object.assign(Object.create(ReadingRequests.prototype) as ReadingRequests, {
    finishedAmong: () =>
      ++looks < 3 ? Promise.reject(new Error('away')) : Promise.resolve([{ ...REQUEST, outcome: OWN }]),
  });
  const outcome = new OutcomePoller(requests).poll(REQUEST, 5_000, new AbortController().signal);
  expect(await outcome).toEqual(OWN);
});
