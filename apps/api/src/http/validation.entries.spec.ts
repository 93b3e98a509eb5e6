import { PreviewDocumentBody } from '../documents/issuing.schemas';
import { createValidationPipe } from './validation';

const ITEMS = 1_000;
const ROUNDS = 15;

const body = {
  type: 'TAX_INVOICE',
  entityId: 1,
  items: Array.from({ length: ITEMS }, (_, n) => ({
    description: `Item ${n}`,
    quantity: 1 + (n % 7),
    unitPrice: (1_250 + n) / 100,
    discountPercent: n % 5,
    vatRate: 18,
  })),
};

const check = (value: unknown): Promise<unknown> =>
  createValidationPipe().transform(value, {
    type: 'body',
    metatype: PreviewDocumentBody,
  }) as Promise<unknown>;

/** Processor time in microseconds, which other processes do not affect. */
async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

describe('the entries of a list', () => {
  it('are instances of their class, without unknown fields', async () => {
    const [item] = body.items;
    const checked = (await check({ ...body, items: [{ ...item, surplus: 1 }] })) as { items: object[] };
    expect(checked.items).toEqual([item]);
    expect(checked.items[0]?.constructor.name).toBe('NewItemBody');
  });

  it('have their problems reported by index, together with those of the body', async () => {
    const items = [body.items[0], 7, { description: '', quantity: 1, unitPrice: null }, null];
    const refused: unknown = await check({ ...body, entityId: 'x', items }).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [
        { field: 'entityId', problem: 'must be a numeric id' },
        { field: 'items[1]', problem: 'must be an object' },
        { field: 'items[2].description', problem: 'must not be empty' },
        { field: 'items[2].unitPrice', problem: 'is required' },
        { field: 'items[3]', problem: 'must be an object' },
      ],
    });
  });

  it('have no problems reported if the list itself is refused', async () => {
    for (const items of [Array.from({ length: ITEMS + 1 }, () => 7), [[7]], 7]) {
      const refused = (await check({ ...body, items }).catch((error: unknown) => error)) as {
        details: { field: string }[];
      };
      expect(refused.details.map(({ field }) => field)).toEqual(['items']);
    }
  });

  it('take a small multiple of their parsing time to check', async () => {
    const text = JSON.stringify(body);
    const parse = () => {
      for (let time = 0; time < 5; time++) JSON.parse(text);
    };
    const parseAndCheck = async () => {
      for (let time = 0; time < 5; time++) await check(JSON.parse(text));
    };
    // Measured alternately, so that other load slows both down.
    const parsing: number[] = [];
    const checking: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      parsing.push(await cpuTimeOf(parse));
      checking.push(await cpuTimeOf(parseAndCheck));
    }
    // About 21; with class-transformer and class-validator it would be 117.
    expect(Math.min(...checking) / Math.min(...parsing)).toBeLessThan(40);
  }, 30_000);
});
