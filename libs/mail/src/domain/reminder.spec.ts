import { batchAfter, missedDays, nextReminderTime, remindersDueSince } from './reminder';

const NONE = { batchDocumentId: null, batchAt: null };
const DAY = { from: 8, until: 20 };

describe('the time of reminders', () => {
  it.each([
    ["in winter, before 8 o'clock in Israel", '2027-01-10T05:59:59Z', '2027-01-10T06:00:00.000Z'],
    ['in winter, from then on', '2027-01-10T06:00:00Z', null],
    ["in winter, until 20 o'clock", '2027-01-10T17:59:59Z', null],
    ['in winter, in the evening', '2027-01-10T18:00:00Z', '2027-01-11T06:00:00.000Z'],
    ["in summer, before 8 o'clock in Israel", '2027-07-10T04:59:59Z', '2027-07-10T05:00:00.000Z'],
    ['in summer, from then on', '2027-07-10T05:00:00Z', null],
    ['when it is tomorrow in Israel, and not in UTC', '2027-01-10T23:30:00Z', '2027-01-11T06:00:00.000Z'],
    ['in the night of the change to summer time', '2027-03-25T23:30:00Z', '2027-03-26T05:00:00.000Z'],
  ])('%s', (_, now, next) => {
    expect(nextReminderTime(new Date(now), DAY)?.toISOString() ?? null).toBe(next);
  });

  it('is any, if the hours are those of the whole day', () => {
    expect(nextReminderTime(new Date('2027-01-10T23:30:00Z'), { from: 0, until: 24 })).toBeNull();
  });
});

describe('the document after which a batch begins', () => {
  const changedAt = new Date('2027-02-10T09:00:00Z');
  const plan = { days: [0], changedAt, queuedUntil: '2027-02-08', completedAt: null };
  const at = (time: string) =>
    batchAfter({ ...plan, batchDocumentId: 7, batchAt: new Date(time) }, '2027-02-10');

  it('is the last one of the batch before', () => expect(at('2027-02-10T10:00:00Z')).toBe(7));
  it('is none if that was on another day', () => expect(at('2027-02-09T10:00:00Z')).toBe(0));
  it('is none if the plan was changed since', () => expect(at('2027-02-10T08:00:00Z')).toBe(0));
  it('is none if the change may have been under way', () => expect(at('2027-02-10T09:00:29Z')).toBe(0));
  it('is none at the beginning', () => expect(batchAfter({ ...plan, ...NONE }, '2027-02-10')).toBe(0));
});

describe('the first day whose reminders are due', () => {
  const plan = {
    days: [0],
    changedAt: new Date('2027-01-01T10:00:00Z'),
    queuedUntil: '2027-02-08',
    completedAt: new Date('2027-02-08T10:00:00Z'),
    ...NONE,
  };

  it('follows the last one that is done', () => {
    expect(remindersDueSince(plan, '2027-02-10')).toBe('2027-02-09');
  });

  it('is the day of a change of the plan, also if that was done by the earlier one', () => {
    const done = { ...plan, queuedUntil: '2027-02-10', completedAt: new Date('2027-02-10T08:00:00Z') };
    expect(remindersDueSince(done, '2027-02-10')).toBe('2027-02-11');
    const changedAt = new Date('2027-02-10T09:00:00Z');
    expect(remindersDueSince({ ...done, changedAt }, '2027-02-10')).toBe('2027-02-10');
    const completedAt = new Date('2027-02-10T09:00:31Z');
    expect(remindersDueSince({ ...done, changedAt, completedAt }, '2027-02-10')).toBe('2027-02-11');
  });

  it('is at most a week ago', () => {
    expect(remindersDueSince({ ...plan, queuedUntil: '2027-01-02' }, '2027-02-10')).toBe('2027-02-03');
  });

  it('leaves out the days before that, unless the plan is younger or nothing was queued yet', () => {
    const late = { ...plan, queuedUntil: '2027-01-02', completedAt: new Date('2027-01-02T09:00:00Z') };
    expect(missedDays(late, '2027-02-03')).toEqual({ from: '2027-01-03', until: '2027-02-02' });
    expect(missedDays({ ...late, queuedUntil: '2027-02-02' }, '2027-02-03')).toBeNull();
    expect(missedDays({ ...late, changedAt: new Date('2027-02-03T09:00:00Z') }, '2027-02-03')).toBeNull();
    expect(missedDays({ ...late, completedAt: null }, '2027-02-03')).toBeNull();
  });

  it('is not before the day on which the plan was made, also in the night', () => {
    const changedAt = new Date('2027-02-10T01:00:00Z');
    expect(remindersDueSince({ ...plan, changedAt, queuedUntil: '1970-01-01' }, '2027-02-09')).toBe(
      '2027-02-10',
    );
    expect(remindersDueSince({ ...plan, changedAt }, '2027-02-10')).toBe('2027-02-10');
  });
});
