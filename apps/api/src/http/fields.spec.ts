import 'reflect-metadata';
import { AppError } from '@counterfoil/kernel';
import { IdField, MoneyField, ObjectListField, TextField } from './fields';
import { createValidationPipe } from './validation';

class LineBody {
  @MoneyField({ presence: 'required' })
  readonly amount!: number;
}

class SampleBody {
  @TextField({ presence: 'edit', max: 3 })
  readonly name?: string;

  @IdField({ presence: 'optional' })
  readonly other?: number | null;

  @ObjectListField({ presence: 'optional', of: () => LineBody, maxItems: 200 })
  readonly lines?: LineBody[] | null;
}

const pipe = createValidationPipe();

async function read(body: unknown): Promise<unknown> {
  try {
    return await pipe.transform(body, { type: 'body', metatype: SampleBody });
  } catch (error) {
    if (error instanceof AppError) return error.details;
    throw error;
  }
}

describe('a body made of fields', () => {
  it('keeps what it has fields for and drops the rest', async () => {
    const body = { name: 'abc', other: 5, lines: [{ amount: 1.5, rest: 1 }], rest: 1 };
    expect(await read(body)).toEqual({ name: 'abc', other: 5, lines: [{ amount: 1.5 }] });
  });

  it('tells null from left out where a field is edited, and not where it is created', async () => {
    expect(await read({ other: null, lines: null })).toMatchObject({ other: null, lines: null });
    expect(await read({ name: null })).toEqual([{ field: 'name', problem: 'must be text' }]);
  });

  it('counts characters, not the halves that some are stored in', async () => {
    expect(await read({ name: '😀😀😀' })).toMatchObject({ name: '😀😀😀' });
    expect(await read({ name: '😀😀😀😀' })).toEqual([
      { field: 'name', problem: 'must be at most 3 characters' },
    ]);
  });

  it.each([
    [5, 'lines', 'must be a list'],
    ['x', 'lines', 'must be a list'],
    [{ 0: { amount: 1 } }, 'lines', 'must be a list'],
    [[[]], 'lines', 'must be a list of objects'],
    [[{ amount: 1 }, [{ amount: 1 }]], 'lines', 'must be a list of objects'],
    [Array.from({ length: 201 }, () => ({ amount: 1 })), 'lines', 'must have at most 200 entries'],
    [[5], 'lines[0]', 'must be an object'],
    [[{ amount: 1 }, null], 'lines[1]', 'must be an object'],
    [[{}], 'lines[0].amount', 'is required'],
    [[{ amount: 0.001 }], 'lines[0].amount', 'must have at most 2 decimals'],
  ])('names what is wrong with a list: %j', async (lines, field, problem) => {
    expect(await read({ lines })).toEqual([{ field, problem }]);
  });

  it('names no more than a hundred problems', async () => {
    const details = await read({ name: 5, lines: Array.from({ length: 200 }, () => ({})) });
    expect(details).toHaveLength(100);
  });
});
