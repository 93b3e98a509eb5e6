import 'reflect-metadata';
import { AppError } from '@counterfoil/kernel';
import {
  BooleanField,
  IdField,
  MoneyField,
  ObjectListField,
  TextField,
  TextListField,
  UnitPriceField,
} from './fields';
import { BooleanQueryField } from './query-fields';
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

class EditBody {
  @TextField({ presence: 'clearable', max: 3 })
  readonly unit?: string | null;

  @UnitPriceField({ presence: 'clearable' })
  readonly price?: number | null;

  @BooleanField({ presence: 'edit' })
  readonly isActive?: boolean;

  @TextListField({ presence: 'edit', maxItems: 2, max: 3 })
  readonly serials?: string[];
}

class SampleQuery {
  @BooleanQueryField({})
  readonly isActive?: boolean;
}

const pipe = createValidationPipe();

async function read(body: unknown, metatype: new () => object = SampleBody): Promise<unknown> {
  try {
    return await pipe.transform(body, { type: 'body', metatype });
  } catch (error) {
    if (error instanceof AppError) return error.details;
    throw error;
  }
}

describe('a body made of fields', () => {
  it('keeps its own fields and drops the others', async () => {
    const body = { name: 'abc', other: 5, lines: [{ amount: 1.5, rest: 1 }], rest: 1 };
    expect(await read(body)).toEqual({ name: 'abc', other: 5, lines: [{ amount: 1.5 }] });
  });

  it('distinguishes null from an omitted field when editing, but not when creating', async () => {
    expect(await read({ other: null, lines: null })).toMatchObject({ other: null, lines: null });
    expect(await read({ name: null })).toEqual([{ field: 'name', problem: 'must be text' }]);
  });

  it('counts characters, not UTF-16 units', async () => {
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
  ])('reports the problem of a list: %j', async (lines, field, problem) => {
    expect(await read({ lines })).toEqual([{ field, problem }]);
  });

  it('reports at most a hundred problems', async () => {
    const details = await read({ name: 5, lines: Array.from({ length: 200 }, () => ({})) });
    expect(details).toHaveLength(100);
  });
});

describe('an edit with clearable fields', () => {
  const edited = (body: object) => read(body, EditBody);

  it('accepts null, and an empty text for text fields', async () => {
    expect(await edited({ unit: null, price: null })).toMatchObject({ unit: null, price: null });
    expect(await edited({ unit: '' })).toMatchObject({ unit: null });
    expect(await edited({ unit: 'kg', price: 0 })).toMatchObject({ unit: 'kg', price: 0 });
  });

  it('distinguishes omitted fields from cleared ones', async () => {
    expect(await edited({})).toEqual({});
  });

  it.each([
    [{ unit: '  ' }, 'unit', 'must not be empty'],
    [{ unit: 0 }, 'unit', 'must be text'],
    [{ price: '' }, 'price', 'must be a number'],
    [{ isActive: null }, 'isActive', 'must be true or false'],
    [{ isActive: 'true' }, 'isActive', 'must be true or false'],
    [{ serials: null }, 'serials', 'must be a list'],
    [{ serials: ['😀😀😀😀'] }, 'serials', 'must be a list of texts of at most 3 characters'],
  ])('refuses %j', async (body, field, problem) => {
    expect(await edited(body)).toEqual([{ field, problem }]);
  });

  it('counts the characters of listed texts, not UTF-16 units', async () => {
    expect(await edited({ serials: ['😀😀😀'] })).toEqual({ serials: ['😀😀😀'] });
  });
});

describe('a boolean query parameter', () => {
  const asked = (query: object) => read(query, SampleQuery);

  it('is parsed to a boolean, and stays undefined if it is omitted', async () => {
    expect(await asked({ isActive: 'true' })).toEqual({ isActive: true });
    expect(await asked({ isActive: 'false' })).toEqual({ isActive: false });
    expect(await asked({})).toEqual({});
  });

  it.each(['', '1', 'TRUE', ' true', 'yes', ['true', 'true']])(
    'refuses any other value: %j',
    async (isActive) => {
      expect(await asked({ isActive })).toEqual([{ field: 'isActive', problem: 'must be true or false' }]);
    },
  );
});
