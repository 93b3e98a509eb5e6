import type { CreateExpenseBody, CreatePurchaseBody, RateToSaveBody } from '@counterfoil/sdk';
import { type Day, vatRateOn, workdays } from './calendar';
import { amountOf, percentOf } from './money';
import type { PlannedVendor } from './parties';
import { Random } from './random';
import { receiptOf, type ReceiptFile } from './receipts';

export interface PlannedExpense {
  readonly name: string;
  readonly vendor: string;
  readonly receipt: ReceiptFile;
  readonly body: Omit<CreateExpenseBody, 'vendorId' | 'fileId'> & { readonly documentNumber: string };
}

export interface PlannedPurchase {
  readonly name: string;
  readonly vendor: string;
  readonly body: Omit<CreatePurchaseBody, 'vendorId'>;
}

/** From this amount on, before VAT, some goods are equipment. */
const EQUIPMENT_LEAST = 1_500_00;
const FIRST_NUMBER = 1_000;

export function planExpenses(
  seed: number,
  vendors: readonly PlannedVendor[],
  { until, count }: { until: Day; count: number },
): PlannedExpense[] {
  const random = new Random(`${seed}/expenses`);
  const numbers = new DocumentNumbers(random);
  return workdays(random, until, count).map((day, index) => {
    // Every vendor has an expense, so that each form of a receipt occurs.
    const vendor = index < vendors.length ? vendors[index]! : random.pick(vendors);
    return expenseOf(random, { vendor, day, number: String(numbers.next(vendor)) });
  });
}

function expenseOf(
  random: Random,
  { vendor, day, number }: { vendor: PlannedVendor; day: Day; number: string },
): PlannedExpense {
  const { trade, currency, language, isTaxed } = vendor;
  const lines = Array.from({ length: random.int(1, 2) }, (_, index) => {
    const sale = trade.sales[index % trade.sales.length]!;
    return { text: sale[language], net: random.int(sale.least * 100, sale.most * 100) };
  });
  const net = lines.reduce((sum, line) => sum + line.net, 0);
  const vatRate = vatRateOn(day);
  const tax = isTaxed ? percentOf(net, vatRate) : 0;
  return {
    name: `${vendor.name}/${number}`,
    vendor: vendor.name,
    receipt: receiptOf({ vendor, number, day, lines, net, tax, vatRate, currency }),
    body: {
      ...{ date: day, documentNumber: number, currency, title: lines[0]!.text },
      total: amountOf(net + tax),
      tax: amountOf(tax),
      deductableTax: amountOf(percentOf(tax, trade.deductiblePercent)),
      isEquipment: trade.isWholesale && net >= EQUIPMENT_LEAST,
    },
  };
}

/** Supplier invoices of the wholesalers, for the goods that were delivered. */
export function planPurchases(
  seed: number,
  vendors: readonly PlannedVendor[],
  { until, count }: { until: Day; count: number },
): PlannedPurchase[] {
  const random = new Random(`${seed}/purchases`);
  const numbers = new DocumentNumbers(random);
  const wholesalers = vendors.filter(({ trade }) => trade.isWholesale);
  return workdays(random, until, count).map((date) => {
    const vendor = random.pick(wholesalers);
    const documentNumber = `INV-${numbers.next(vendor)}`;
    const net = random.int(400_00, 6_000_00);
    const tax = percentOf(net, vatRateOn(date));
    const amounts = { currency: 'ILS', total: amountOf(net + tax), tax: amountOf(tax) };
    const title = random.pick(vendor.trade.sales)[vendor.language];
    return {
      ...{ name: `${vendor.name}/${documentNumber}`, vendor: vendor.name },
      body: { documentNumber, date, title, ...amounts },
    };
  });
}

/** Shekels for one unit, about which the rates move. */
const RATES = { USD: 3.42, EUR: 3.93 } as const;

/** Rates of the company, for the days on which it spent another currency. */
export function planRates(seed: number, expenses: readonly PlannedExpense[]): RateToSaveBody[] {
  const random = new Random(`${seed}/rates`);
  const foreign = expenses.map(({ body }) => body).filter(({ currency }) => currency !== 'ILS');
  const days = new Map(foreign.map(({ currency, date }) => [`${currency} ${date}`, { currency, date }]));
  return [...days.values()].map(({ currency, date }) => {
    const middle = RATES[currency as keyof typeof RATES];
    return { currency: currency!, date, rate: Math.round(middle * random.int(9_700, 10_300)) / 10_000 };
  });
}

/** The running numbers of the documents that each vendor gives to all its customers. */
class DocumentNumbers {
  readonly #last = new Map<string, number>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  next({ name }: PlannedVendor): number {
    const last = this.#last.get(name) ?? FIRST_NUMBER + this.#random.int(0, 5_000);
    const number = last + this.#random.int(1, 40);
    this.#last.set(name, number);
    return number;
  }
}
