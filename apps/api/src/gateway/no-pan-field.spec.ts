import 'reflect-metadata';
import { AppError } from '@counterfoil/kernel';
import { createValidationPipe } from '../http/validation';
import { CARD_NUMBER_PROBLEM, NoPanTextField } from './no-pan-field';

class SampleBody {
  @NoPanTextField({ presence: 'required', max: 100 })
  readonly reason!: string;
}

const pipe = createValidationPipe();

async function problemsOf(reason: string): Promise<readonly string[]> {
  try {
    await pipe.transform({ reason }, { type: 'body', metatype: SampleBody });
    return [];
  } catch (error) {
    if (error instanceof AppError) return error.details?.map(({ problem }) => problem) ?? [];
    throw error;
  }
}

describe('a text without a card number', () => {
  it('is accepted, and one with a card number is refused', async () => {
    expect(await problemsOf('order 4242')).toEqual([]);
    expect(await problemsOf('4242 4242 4242 4242')).toEqual([CARD_NUMBER_PROBLEM]);
  });

  it('is not searched if it is too long', async () => {
    const started = performance.now();
    expect(await problemsOf('4 '.repeat(500_000))).toEqual(['must be at most 100 characters']);
    expect(performance.now() - started).toBeLessThan(100);
  });
});
