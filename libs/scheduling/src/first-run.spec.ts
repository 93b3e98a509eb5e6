import type { AppError } from '@counterfoil/kernel';
import { assertFirstRun, assertRunsMissed, countDueRuns } from './first-run';

const TODAY = '2026-11-22';
const RUNS_MAX = 160;

describe('assertFirstRun', () => {
  const problem = (nextRunDate: string, today: string, yearsMax = 10): unknown => {
    try {
      assertFirstRun(nextRunDate, today, yearsMax);
      return null;
    } catch (error) {
      const { code, details } = error as AppError;
      return { code, details };
    }
  };

  it.each([
    ['2016-11-21', '2026-11-21'],
    ['2026-11-21', '2026-11-21'],
    ['2999-12-31', '2026-11-21'],
    ['2018-02-28', '2028-02-29'],
    ['1990-01-01', '2000-01-01'],
  ])('accepts %s on %s', (nextRunDate, today) => {
    expect(problem(nextRunDate, today)).toBeNull();
  });

  it.each([
    ['2016-11-20', '2026-11-21', '2016-11-21'],
    ['1900-01-01', '2026-11-21', '2016-11-21'],
    ['2018-02-27', '2028-02-29', '2018-02-28'],
  ])('refuses %s on %s', (nextRunDate, today, oldest) => {
    expect(problem(nextRunDate, today)).toEqual({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'nextRunDate', problem: `must not be before ${oldest}` }],
    });
  });

  it('allows the given number of years', () => {
    expect(problem('2025-11-21', '2026-11-21', 1)).toBeNull();
    expect(problem('2025-11-20', '2026-11-21', 1)).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('assertRunsMissed', () => {
  it.each([
    ['WEEKLY', '2016-11-22', false],
    ['WEEKLY', '2023-10-29', false],
    ['WEEKLY', '2023-11-05', true],
    ['MONTHLY', '2016-11-22', true],
    ['YEARLY', '2016-11-22', true],
    ['WEEKLY', '2026-11-23', true],
  ] as const)('%s from %s on: taken %s', (interval, nextRunDate, taken) => {
    const assert = () => assertRunsMissed({ nextRunDate, interval }, TODAY, RUNS_MAX);
    if (taken) return expect(assert).not.toThrow();
    expect(assert).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_FAILED',
        details: [
          {
            field: 'nextRunDate',
            problem: 'would be more than 160 missed runs: give one from 2023-11-05 on, or a longer interval',
          },
        ],
      }) as Error,
    );
  });

  it.each(['WEEKLY', 'MONTHLY', 'YEARLY'] as const)('accepts the latest possible dates, %s', (interval) => {
    expect(() => assertRunsMissed({ nextRunDate: '9999-12-31', interval }, TODAY, RUNS_MAX)).not.toThrow();
  });
});

it.each([
  ['2026-11-23', 'WEEKLY', 0],
  ['2026-11-22', 'YEARLY', 1],
  ['2026-11-15', 'WEEKLY', 2],
  ['2026-08-31', 'MONTHLY', 3],
] as const)('of a first run on %s, %s, %d are due', (nextRunDate, interval, count) => {
  expect(countDueRuns({ nextRunDate, interval }, TODAY)).toBe(count);
});
