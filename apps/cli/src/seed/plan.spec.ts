import { addDays, firstDayOf, workdayOf } from './calendar';
import type { DocumentStep, IssueStep } from './documents';
import { NET_MAX } from './items';
import { planYear, SEED_SIZES, type SeedPlan } from './plan';

const UNTIL = '2026-11-26';
const HEBREW = /\p{Script=Hebrew}/u;
const LATIN = /^[\p{Script=Latin}\p{N}\p{P}\p{Zs}]+$/u;

const yearOf = (seed: number, until = UNTIL): SeedPlan => planYear({ seed, size: 'medium', until });
const plan = yearOf(7);
const issued = (steps: readonly DocumentStep[]): IssueStep[] => steps.filter((step) => step.act === 'issue');
const netOf = ({ items }: IssueStep): number =>
  items.reduce(
    (sum, { quantity, unitPrice, discountPercent }) =>
      sum + quantity * unitPrice * (1 - (discountPercent ?? 0) / 100),
    0,
  );
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

describe('the choice', () => {
  it('determines everything, down to the bytes of the receipts', () => {
    expect(yearOf(7)).toEqual(plan);
  });

  it('gives another seed other parties, products and amounts', () => {
    const other = yearOf(8);
    const namesOf = ({ vendors, clients, products }: SeedPlan) => [
      ...[...vendors, ...clients].map(({ body }) => body.taxId),
      ...products.map(({ body }) => body.sku),
    ];
    expect(namesOf(plan).filter((name) => namesOf(other).includes(name))).toEqual([]);
    expect(other.expenses.map(({ body }) => body.total)).not.toEqual(
      plan.expenses.map(({ body }) => body.total),
    );
  });

  it('moves the whole year with its last day', () => {
    const earlier = yearOf(7, '2024-12-31');
    expect(earlier.vendors).toEqual(plan.vendors);
    const days = earlier.documents.map(({ day }) => day);
    expect([days[0]! >= firstDayOf('2024-12-31'), days.at(-1)! <= '2024-12-31']).toEqual([true, true]);
  });

  it.each(SEED_SIZES)('of size %s has each kind', (size) => {
    const { rates, pricelists, retainers, ...lists } = planYear({ seed: 1, size, until: UNTIL });
    for (const list of [rates, pricelists, retainers, lists.vendors, lists.clients, lists.documents])
      expect(list.length).toBeGreaterThan(0);
  });
});

describe('the parties', () => {
  const parties = [...plan.vendors, ...plan.clients];
  const digitsOf = (text: string) => [...text.replace(/\D/g, '')].map(Number);

  /** Checks of the countries, written as their authorities state them. */
  const CHECKS: readonly [RegExp, (digits: readonly number[]) => boolean][] = [
    [
      /^\d{9}$/,
      (digits) =>
        sumOf(digits.map((digit, index) => [...`${digit * (1 + (index % 2))}`].map(Number)).flat()) % 10 ===
        0,
    ],
    [
      /^GB\d{9}$/,
      (digits) =>
        (sumOf(digits.slice(0, 7).map((digit, index) => digit * (8 - index))) +
          Number(digits.slice(7).join(''))) %
          97 ===
        0,
    ],
    [
      /^DE\d{9}$/,
      (digits) =>
        (digits.slice(0, 8).reduce((product, digit) => (2 * ((product + digit) % 10 || 10)) % 11, 10) +
          digits[8]!) %
          10 ===
        1,
    ],
  ];

  it('have tax numbers with valid check digits, each once', () => {
    const taxIds = parties.map(({ body }) => body.taxId);
    const invalid = taxIds.filter(
      (taxId) => !CHECKS.some(([form, isValid]) => form.test(taxId) && isValid(digitsOf(taxId))),
    );
    expect(invalid).toEqual([]);
    expect(new Set(taxIds).size).toBe(taxIds.length);
    for (const [form] of CHECKS) expect(taxIds.some((taxId) => form.test(taxId))).toBe(true);
  });

  it('have Hebrew and English names, each once', () => {
    for (const list of [plan.vendors, plan.clients]) {
      const names = list.map(({ body }) => body.name);
      expect(names.filter((name) => HEBREW.test(name)).length).toBeGreaterThan(names.length / 4);
      expect(names.filter((name) => LATIN.test(name)).length).toBeGreaterThan(names.length / 4);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});

describe('the goods', () => {
  it('have Hebrew and English names, and are sold for more than they cost', () => {
    const bodies = plan.products.map(({ body }) => body);
    expect(bodies.some(({ name }) => HEBREW.test(name))).toBe(true);
    expect(bodies.some(({ name }) => LATIN.test(name))).toBe(true);
    expect(new Set(bodies.map(({ name }) => name)).size).toBe(bodies.length);
    for (const { buyingPrice, sellingPrice } of bodies) expect(sellingPrice).toBeGreaterThan(buyingPrice);
  });

  it('are priced in every way', () => {
    const ways = plan.pricelists.flatMap(({ entries }) =>
      entries.map(({ pricingMode, tiersMode }) => tiersMode ?? pricingMode),
    );
    expect(new Set(ways)).toEqual(new Set(['default', 'fixed', 'range', 'quantity']));
  });

  it('never leave stock that is not there, and some are low in the end', () => {
    const left = plan.stock.map(({ movements, lowStockThreshold }) => {
      let [quantity, reserved] = [0, 0];
      for (const move of movements) {
        if (move.movementType === 'RESERVE') reserved += move.quantity;
        else if (move.movementType === 'ADD' || move.movementType === 'ADJUST') quantity += move.quantity;
        else quantity -= move.quantity;
        if (move.movementType === 'RELEASE_AND_SUBTRACT') reserved -= move.quantity;
        expect(quantity - reserved).toBeGreaterThanOrEqual(0);
        expect(move.quantity).toBeGreaterThan(0);
      }
      return { quantity, lowStockThreshold, isMoved: movements.length > 0 };
    });
    expect(
      left.some(({ isMoved, quantity, lowStockThreshold }) => isMoved && quantity <= lowStockThreshold),
    ).toBe(true);
  });
});

describe('the costs', () => {
  it('lie in the year, on workdays, with a VAT that fits', () => {
    for (const { body } of plan.expenses) {
      expect(body.date >= firstDayOf(UNTIL) && body.date <= UNTIL).toBe(true);
      expect(workdayOf(body.date)).toBe(body.date);
      const net = body.total - body.tax;
      if (body.tax > 0) expect(Math.abs(body.tax - net * 0.18)).toBeLessThanOrEqual(0.0051);
      expect(body.deductableTax).toBeLessThanOrEqual(body.tax);
    }
  });

  it('are numbered by each vendor in the order of the days', () => {
    for (const { name } of plan.vendors) {
      const own = plan.expenses.filter(({ vendor }) => vendor === name);
      const numbers = own.map(({ body }) => Number(body.documentNumber));
      expect([own.length > 0, numbers]).toEqual([true, [...numbers].sort((a, b) => a - b)]);
    }
  });

  it('have a rate for each day on which another currency was spent', () => {
    const foreign = plan.expenses.map(({ body }) => body).filter(({ currency }) => currency !== 'ILS');
    const rates = new Set(plan.rates.map(({ currency, date }) => `${currency} ${date}`));
    expect(foreign.length).toBeGreaterThan(0);
    for (const { currency, date } of foreign) expect(rates.has(`${currency} ${date}`)).toBe(true);
  });

  it('have receipts in every form, and no two alike', () => {
    const names = plan.expenses.map(({ receipt }) => receipt.fileName);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(names.map((name) => name.split('.').at(-1)))).toEqual(
      new Set(['html', 'txt', 'pdf', 'xml']),
    );
  });
});

describe('the documents', () => {
  const documents = issued(plan.documents);

  it('run with their dates, each after those that it names', () => {
    const days = plan.documents.map(({ day }) => day);
    expect(days).toEqual([...days].sort());
    const seen = new Set<string>();
    for (const step of plan.documents) {
      const named = step.act === 'issue' ? [step.covers, step.credits, step.pays?.name] : [step.name];
      for (const name of named) if (name !== undefined) expect(seen.has(name)).toBe(true);
      seen.add(step.name);
    }
    expect(seen.size).toBe(documents.length);
  });

  it('are of every kind that the year needs', () => {
    const types = new Set(documents.map(({ type }) => type));
    for (const type of ['QUOTE', 'ORDER', 'DELIVERY_NOTE', 'PROFORMA', 'TAX_INVOICE', 'RECEIPT', 'REFUND'])
      expect(types).toContain(type);
    expect(new Set(plan.documents.map(({ act }) => act))).toEqual(new Set(['issue', 'close', 'cancel']));
    expect(documents.some(({ retainer }) => retainer !== undefined)).toBe(true);
  });

  it('need no allocation number: none is above the threshold', () => {
    const large = planYear({ seed: 3, size: 'large', until: UNTIL });
    for (const document of issued([...plan.documents, ...large.documents]))
      expect(netOf(document)).toBeLessThanOrEqual(NET_MAX);
  });

  it('add up to a small business: it sells for more than it spends, and is paid most of it', () => {
    const inShekels = documents.filter(({ currency }) => currency === 'ILS');
    const sales = sumOf(inShekels.filter(({ type }) => type.startsWith('TAX_INVOICE')).map(netOf));
    const costs = sumOf(plan.expenses.map(({ body }) => body.total));
    expect(sales).toBeGreaterThan(100_000);
    expect(sales).toBeLessThan(600_000);
    expect(costs).toBeGreaterThan(sales / 10);
    expect(costs).toBeLessThan(sales * 1.5);
    const invoices = documents.filter(({ type }) => type === 'TAX_INVOICE');
    const paid = new Set(documents.map(({ pays }) => pays?.name));
    const share = invoices.filter(({ name }) => paid.has(name)).length / invoices.length;
    expect([share > 0.5, share < 1]).toEqual([true, true]);
  });

  it('have the VAT of their day, and none abroad', () => {
    const rates = (until: string) =>
      issued(yearOf(7, until).documents)
        .filter(({ credits }) => credits === undefined)
        .flatMap(({ items, currency, day }) =>
          items.map(
            ({ vatRate }) =>
              `${currency === 'ILS' ? (day < '2025-01-01' ? 'old' : 'new') : 'abroad'} ${vatRate}`,
          ),
        );
    expect(new Set(rates('2025-06-30'))).toEqual(new Set(['old 17', 'new 18', 'abroad 0']));
  });

  it('of a retainer come monthly, and its next one after the year', () => {
    for (const { body, steps } of plan.retainers) {
      expect(body.nextRunDate > UNTIL && body.nextRunDate <= addDays(UNTIL, 31)).toBe(true);
      const months = issued(steps)
        .filter(({ type }) => type === 'TAX_INVOICE')
        .map(({ day }) => day.slice(0, 7));
      expect([months.length, new Set(months).size]).toEqual([12, 12]);
    }
  });
});
