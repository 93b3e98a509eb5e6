import { afterAttempt, recipientsOf } from './mail';

const AT = new Date('2026-11-27T10:00:00Z');
const DELAYS = [60_000, 300_000];

describe('the recipients of a call', () => {
  it('are each named once, and to comes before cc', () => {
    expect(recipientsOf(['a@x.com', 'A@X.com', 'b@x.com'], ['B@x.com', 'c@x.com', 'c@x.com'])).toEqual([
      { address: 'a@x.com', kind: 'to' },
      { address: 'b@x.com', kind: 'to' },
      { address: 'c@x.com', kind: 'cc' },
    ]);
  });
});

describe('a mail after an attempt', () => {
  it.each([
    ['accepted', 0, { status: 'accepted' }],
    ['refused', 0, { status: 'failed', failure: 'refused' }],
    ['uncertain', 1, { status: 'failed', failure: 'uncertain' }],
    ['later', 0, { status: 'queued', nextAttemptAt: new Date('2026-11-27T10:01:00Z') }],
    ['later', 1, { status: 'queued', nextAttemptAt: new Date('2026-11-27T10:05:00Z') }],
    ['later', 2, { status: 'failed', failure: 'expired' }],
  ] as const)('that ended with %s, after %i failed ones, is %j', (kind, failedBefore, state) => {
    expect(afterAttempt({ kind, response: 'x' }, failedBefore, AT, DELAYS)).toEqual(state);
  });
});
