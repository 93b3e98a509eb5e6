import { AppError } from '@counterfoil/kernel';
import { assertSerials } from './product';

function problemsOf(serials: readonly string[]): unknown {
  try {
    assertSerials(serials);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, details: error.details };
  }
}

const failed = (...details: [field: string, problem: string][]) => ({
  code: 'VALIDATION_FAILED',
  details: details.map(([field, problem]) => ({ field, problem })),
});

describe('serial numbers', () => {
  it.each([[[]], [['A']], [['A', 'a', ' A', 'A ']], [['é', 'e\u0301']], [['מס-1', 'מס-2']]])(
    'may be %j, since they are compared character by character',
    (serials) => {
      expect(problemsOf(serials)).toEqual([]);
    },
  );

  it('must not repeat: each repetition is named with the one it repeats', () => {
    expect(problemsOf(['A', 'B', 'A', 'C', 'B', 'A'])).toEqual(
      failed(
        ['serials[2]', 'repeats serials[0]'],
        ['serials[4]', 'repeats serials[1]'],
        ['serials[5]', 'repeats serials[0]'],
      ),
    );
  });

  it('must not be blank', () => {
    expect(problemsOf(['', 'A', ' \t'])).toEqual(
      failed(['serials[0]', 'must not be empty'], ['serials[2]', 'must not be empty']),
    );
  });

  it('are named at most a hundred times, and checked within a second', () => {
    const startedAt = performance.now();
    const found = problemsOf(Array.from({ length: 5_000 }, () => 'A')) as { details: unknown[] };
    expect(found.details).toHaveLength(100);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});
