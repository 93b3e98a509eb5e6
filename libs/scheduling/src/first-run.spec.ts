import type { AppError } from '@counterfoil/kernel';
import { assertFirstRun } from './first-run';

describe('the first date on which something is due', () => {
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
  ])('may be %s on %s', (nextRunDate, today) => {
    expect(problem(nextRunDate, today)).toBeNull();
  });

  it.each([
    ['2016-11-20', '2026-11-21', '2016-11-21'],
    ['1900-01-01', '2026-11-21', '2016-11-21'],
    ['2018-02-27', '2028-02-29', '2018-02-28'],
  ])('may not be %s on %s', (nextRunDate, today, oldest) => {
    expect(problem(nextRunDate, today)).toEqual({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'nextRunDate', problem: `must not be before ${oldest}` }],
    });
  });

  it('is as long ago as is said', () => {
    expect(problem('2025-11-21', '2026-11-21', 1)).toBeNull();
    expect(problem('2025-11-20', '2026-11-21', 1)).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
