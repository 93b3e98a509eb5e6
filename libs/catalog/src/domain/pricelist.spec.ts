import type { AppError, FieldProblem } from '@counterfoil/kernel';
import { aPricelistEntry } from '../testing/a-pricelist-entry';
import { readPricelist } from '../testing/read-pricelist';
import { assertKnownProducts, type PricelistEntry } from './pricelist';

const FIXED_TIER = { from: 1, to: 10, tierType: 'fixed', price: 5 };

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details: readonly FieldProblem[];
}

function catchRefusal(work: () => unknown): Refusal {
  try {
    work();
  } catch (error) {
    const { code, message, details = [] } = error as AppError;
    return { code, message, details };
  }
  throw new Error('the pricelist was accepted');
}

/** Returns the refusal of a list in JSON, which can hold infinity as 1e309. */
const refuse = (json: string) => catchRefusal(() => readPricelist(JSON.parse(json) as unknown[]));
const read = (entry: object): PricelistEntry => readPricelist([{ productId: 1, ...entry }])[0]!;

/** Returns the refusal of one entry with the given invalid fields. */
function refuseEntry(entry: object | string): Refusal {
  const fields = typeof entry === 'string' ? entry : JSON.stringify(entry).slice(1, -1);
  return refuse(`[{"productId":7,"pricingMode":"default"${fields === '' ? '' : `,${fields}`}}]`);
}

/** Returns the refusal of an entry with one tier. */
function refuseTier(tier: string): Refusal {
  return refuseEntry(`"priceTiers":[${tier}]`);
}

describe('PricelistReading', () => {
  it('reads the known fields and drops the others', () => {
    const tiers = [
      { from: 1, to: 10, tierType: 'percent', discountPercent: 12.5, other: 1 },
      { from: 11, to: 20, tierType: 'amount', discountAmount: 0.0001, price: 3 },
      { from: 0, to: 0.9999, tierType: 'fixed', price: 0, discountPercent: null },
    ];
    const sent = {
      id: 5,
      productId: 7,
      productName: 'x',
      vendorSku: 'V-1',
      pricingMode: 'tiers',
      buyingPrice: 3.5,
    };
    expect(readPricelist([{ ...sent, priceTiers: tiers, quantityStep: null }])).toEqual([
      aPricelistEntry({
        productId: 7,
        vendorSku: 'V-1',
        pricingMode: 'tiers',
        buyingPrice: 3.5,
        priceTiers: [
          { from: 1, to: 10, tierType: 'percent', discountPercent: 12.5 },
          { from: 11, to: 20, tierType: 'amount', discountAmount: 0.0001 },
          { from: 0, to: 0.9999, tierType: 'fixed', price: 0 },
        ],
        tiersMode: 'range',
      }),
    ]);
  });

  it('accepts an empty list', () => {
    expect(readPricelist([])).toEqual([]);
  });

  it('accepts a list as it was read before', () => {
    const entries = [
      aPricelistEntry({ productId: 1 }),
      aPricelistEntry({ productId: 2, pricingMode: 'fixed', buyingPrice: 0, tiersMode: 'quantity' }),
      aPricelistEntry({
        productId: 3,
        pricingMode: 'tiers',
        tiersMode: 'quantity',
        quantityStep: 0.5,
        quantityStepPrice: 1,
        priceTiers: [],
      }),
      aPricelistEntry({ productId: 4, priceTiers: [{ ...FIXED_TIER, tierType: 'fixed' }] }),
    ];
    expect(readPricelist(entries)).toEqual(entries);
    expect(readPricelist(JSON.parse(JSON.stringify(entries)) as unknown[])).toEqual(entries);
  });

  it('defaults tiersMode to range under tiers, and to null otherwise', () => {
    expect(read({ pricingMode: 'default' }).tiersMode).toBeNull();
    expect(read({ pricingMode: 'fixed', buyingPrice: 1, tiersMode: 'range' }).tiersMode).toBe('range');
    expect(read({ pricingMode: 'tiers', priceTiers: [FIXED_TIER] }).tiersMode).toBe('range');
  });

  it('reads an empty vendor SKU as null, and accepts one of a hundred characters', () => {
    expect(read({ pricingMode: 'default', vendorSku: '' }).vendorSku).toBeNull();
    const sku = '😀'.repeat(100);
    expect(read({ pricingMode: 'default', vendorSku: sku }).vendorSku).toBe(sku);
  });

  it.each<[string, string, string]>([
    ['5', 'entries[0]', 'must be an object'],
    ['null', 'entries[0]', 'must be an object'],
    ['[]', 'entries[0]', 'must be an object'],
    ['"x"', 'entries[0]', 'must be an object'],
    ['{"pricingMode":"default"}', 'entries[0].productId', 'is required'],
    ['{"productId":null,"pricingMode":"default"}', 'entries[0].productId', 'is required'],
    ...['0', '-1', '1.5', '"1"', 'true', '{}', '[]', '1e309', '9007199254740992'].map(
      (id): [string, string, string] => [
        `{"productId":${id},"pricingMode":"default"}`,
        'entries[0].productId',
        'must be a numeric id',
      ],
    ),
    ['{"productId":7}', 'entries[0].pricingMode', 'is required'],
  ])('refuses the entry %s as INVALID_PRICELIST', (entry, field, problem) => {
    const refusal = refuse(`[${entry}]`);
    expect(refusal).toMatchObject({ code: 'INVALID_PRICELIST', details: [{ field, problem }] });
    expect(refusal.message).toMatch(/^entries\[0\].*: (\S+ )?(is|must)/);
  });

  it.each<[string, string, string]>([
    ['pricingMode', '"nope"', 'must be one of default, fixed, tiers'],
    ['pricingMode', '5', 'must be one of default, fixed, tiers'],
    ['pricingMode', '["fixed"]', 'must be one of default, fixed, tiers'],
    ['pricingMode', '"toString"', 'must be one of default, fixed, tiers'],
    ['tiersMode', '"bands"', 'must be one of range, quantity'],
    ['tiersMode', 'true', 'must be one of range, quantity'],
    ['vendorSku', '5', 'must be text'],
    ['vendorSku', '{}', 'must be text'],
    ['vendorSku', JSON.stringify('x'.repeat(101)), 'must be at most 100 characters'],
    ['priceTiers', '{}', 'must be a list'],
    ['priceTiers', '"x"', 'must be a list'],
    ['priceTiers', '{"length":1}', 'must be a list'],
    ...['buyingPrice', 'quantityStepPrice', 'quantityStep'].flatMap((field): [string, string, string][] => [
      [field, '"5"', 'must be a number'],
      [field, 'true', 'must be a number'],
      [field, '{}', 'must be a number'],
      [field, '[]', 'must be a number'],
      [field, '1e309', 'must be a number'],
      [field, '-1e309', 'must be a number'],
      [field, '-0.0001', field === 'quantityStep' ? 'must be greater than zero' : 'must not be negative'],
      [field, '0.00001', 'must have at most 4 decimals'],
      [field, '1e-7', 'must have at most 4 decimals'],
      [field, '1.00005', 'must have at most 4 decimals'],
      [field, '10000000000', 'must be at most 9999999999.9999'],
    ]),
    ['quantityStep', '0', 'must be greater than zero'],
  ])('refuses when %s is %s', (field, literal, problem) => {
    const refusal = refuseEntry(`"${field}":${literal}`);
    expect(refusal).toEqual({
      code: 'INVALID_PRICELIST',
      message: `entries[0] (product 7): ${field} ${problem}`,
      details: [{ field: `entries[0].${field}`, problem }],
    });
  });

  it.each<[string, object, string, string]>([
    [
      'fixed without a price',
      { pricingMode: 'fixed' },
      'buyingPrice',
      'is required when pricingMode is fixed',
    ],
    ['tiers without tiers', { pricingMode: 'tiers' }, 'priceTiers', 'is required when pricingMode is tiers'],
    [
      'tiers that are null',
      { pricingMode: 'tiers', tiersMode: 'range', priceTiers: null },
      'priceTiers',
      'is required when pricingMode is tiers',
    ],
    [
      'no tier in the list',
      { pricingMode: 'tiers', priceTiers: [] },
      'priceTiers',
      'must not be empty when pricingMode is tiers',
    ],
    [
      'steps without a size',
      { pricingMode: 'tiers', tiersMode: 'quantity', quantityStepPrice: 1 },
      'quantityStep',
      'is required when tiersMode is quantity',
    ],
    [
      'steps without a price',
      { pricingMode: 'tiers', tiersMode: 'quantity', quantityStep: 1 },
      'quantityStepPrice',
      'is required when tiersMode is quantity',
    ],
  ])('refuses an entry without the fields that its mode requires: %s', (_, entry, field, problem) => {
    expect(refuseEntry(entry)).toMatchObject({
      code: 'INVALID_PRICELIST',
      message: `entries[0] (product 7): ${field} ${problem}`,
      details: [{ field: `entries[0].${field}`, problem }],
    });
  });

  it.each<[string, string, string]>([
    ['5', '', 'must be an object'],
    ['null', '', 'must be an object'],
    ['[]', '', 'must be an object'],
    ['{"from":1,"tierType":"fixed","price":1}', '.to', 'is required: a tier needs an upper bound'],
    ['{"from":1,"to":null,"tierType":"fixed","price":1}', '.to', 'is required: a tier needs an upper bound'],
    ['{"to":1,"tierType":"fixed","price":1}', '.from', 'is required'],
    ['{"from":-1,"to":1,"tierType":"fixed","price":1}', '.from', 'must not be negative'],
    ['{"from":0,"to":1e309,"tierType":"fixed","price":1}', '.to', 'must be a number'],
    ['{"from":"0","to":1,"tierType":"fixed","price":1}', '.from', 'must be a number'],
    ['{"from":0,"to":9.99999,"tierType":"fixed","price":1}', '.to', 'must have at most 4 decimals'],
    ['{"from":0,"to":10000000000,"tierType":"fixed","price":1}', '.to', 'must be at most 9999999999.9999'],
    ['{"from":10,"to":1,"tierType":"fixed","price":1}', '', 'from (10) must not be above to (1)'],
    ['{"from":1,"to":0.9999,"tierType":"fixed","price":1}', '', 'from (1) must not be above to (0.9999)'],
    ['{"from":1,"to":10,"price":1}', '.tierType', 'is required'],
    ['{"from":1,"to":10,"tierType":"free","price":1}', '.tierType', 'must be one of fixed, percent, amount'],
    ['{"from":1,"to":10,"tierType":"fixed"}', '.price', 'is required when tierType is fixed'],
    ['{"from":1,"to":10,"tierType":"fixed","price":null}', '.price', 'is required when tierType is fixed'],
    ['{"from":1,"to":10,"tierType":"fixed","price":-1}', '.price', 'must not be negative'],
    ['{"from":1,"to":10,"tierType":"fixed","price":"5"}', '.price', 'must be a number'],
    [
      '{"from":1,"to":10,"tierType":"percent","price":1}',
      '.discountPercent',
      'is required when tierType is percent',
    ],
    [
      '{"from":1,"to":10,"tierType":"percent","discountPercent":100.0001}',
      '.discountPercent',
      'must be at most 100',
    ],
    [
      '{"from":1,"to":10,"tierType":"percent","discountPercent":-1}',
      '.discountPercent',
      'must not be negative',
    ],
    [
      '{"from":1,"to":10,"tierType":"percent","discountPercent":0.00001}',
      '.discountPercent',
      'must have at most 4 decimals',
    ],
    ['{"from":1,"to":10,"tierType":"amount"}', '.discountAmount', 'is required when tierType is amount'],
    ['{"from":1,"to":10,"tierType":"amount","discountAmount":-1}', '.discountAmount', 'must not be negative'],
    // Values that belong to another tier type are validated too.
    [
      '{"from":1,"to":10,"tierType":"fixed","price":1,"discountPercent":101}',
      '.discountPercent',
      'must be at most 100',
    ],
    ['{"from":1,"to":10,"tierType":"percent","discountPercent":1,"price":[]}', '.price', 'must be a number'],
  ])('refuses the tier %s under every mode', (tier, at, problem) => {
    const refusal = refuseTier(tier);
    expect(refusal).toEqual({
      code: 'INVALID_PRICELIST',
      message: `entries[0] (product 7): priceTiers[0]${at} ${problem}`,
      details: [{ field: `entries[0].priceTiers[0]${at}`, problem }],
    });
    const underTiers = refuseEntry(`"pricingMode":"tiers","priceTiers":[${tier}]`);
    expect(underTiers.details).toEqual(refusal.details);
  });

  it('refuses overlapping tiers, and names the entry and the pair', () => {
    const tiers = [
      { from: 30, to: 40, tierType: 'fixed', price: 1 },
      { from: 1, to: 10, tierType: 'fixed', price: 1 },
      { from: 10, to: 20, tierType: 'percent', discountPercent: 1 },
    ];
    const entries = [
      { productId: 5, pricingMode: 'default' },
      { productId: 9, pricingMode: 'tiers', priceTiers: tiers },
    ];
    expect(catchRefusal(() => readPricelist(entries))).toEqual({
      code: 'INVALID_PRICELIST',
      message:
        'entries[1] (product 9): priceTiers[1] (1 to 10) and priceTiers[2] (10 to 20) overlap; ' +
        'both bounds of a tier are inclusive',
      details: [
        {
          field: 'entries[1].priceTiers[2]',
          problem: '(10 to 20) overlaps priceTiers[1] (1 to 10); both bounds of a tier are inclusive',
        },
      ],
    });
  });

  it('refuses a repeated product, and names both entries', () => {
    const one = { productId: 17, pricingMode: 'default' };
    const entries = [one, { productId: 3, pricingMode: 'default' }, one];
    expect(catchRefusal(() => readPricelist(entries))).toEqual({
      code: 'INVALID_PRICELIST',
      message: 'entries[2] (product 17): productId repeats the one of entries[0]',
      details: [{ field: 'entries[2].productId', problem: 'repeats the one of entries[0]' }],
    });
  });

  it('refuses a product that the company does not have', () => {
    const entries = [aPricelistEntry({ productId: 1 }), aPricelistEntry({ productId: 2 })];
    assertKnownProducts(entries, new Set());
    expect(catchRefusal(() => assertKnownProducts(entries, new Set([2])))).toEqual({
      code: 'INVALID_PRICELIST',
      message: 'entries[1] (product 2): productId refers to no product of this company',
      details: [{ field: 'entries[1].productId', problem: 'refers to no product of this company' }],
    });
  });

  it('refuses more than a hundred tiers of one entry', () => {
    const tiers = Array.from({ length: 101 }, (_, from) => ({ ...FIXED_TIER, from, to: from }));
    expect(read({ pricingMode: 'tiers', priceTiers: tiers.slice(1) }).priceTiers).toHaveLength(100);
    expect(refuseEntry({ priceTiers: tiers }).details).toEqual([
      { field: 'entries[0].priceTiers', problem: 'must have at most 100 entries' },
    ]);
  });

  it('names up to a hundred problems, with the first in the message', () => {
    const wrong = { productId: 7, pricingMode: 'fixed', priceTiers: [{ from: 2, to: 1 }], quantityStep: 0 };
    expect(catchRefusal(() => readPricelist([wrong])).details.map(({ field }) => field)).toEqual([
      'entries[0].priceTiers[0]',
      'entries[0].priceTiers[0].tierType',
      'entries[0].quantityStep',
      'entries[0].buyingPrice',
    ]);
    const { message, details } = catchRefusal(() =>
      readPricelist(Array.from({ length: 10_000 }, () => ({}))),
    );
    expect(message).toBe('entries[0]: productId is required');
    expect(details).toHaveLength(100);
    expect(details.at(-1)!.field).toBe('entries[49].pricingMode');
  });
});
