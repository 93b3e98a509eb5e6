import { customerOf, type Business } from './businesses';
import type { Draw } from './draw';
import { printedNumber } from './formats';
import type { Locale } from './locales';
import { WORDINGS, type Language } from './wordings/languages';
import type { Writer } from './writers';

export type Kind = 'invoice' | 'receipt' | 'credit';

export interface Item {
  readonly name: string;
  readonly quantity: number;
  /** In hundredths; with tax if the document's prices include it. */
  readonly price: number;
  readonly amount: number;
  /** Percent. */
  readonly rate: number;
}

export interface TaxPart {
  readonly rate: number;
  readonly base: number;
  readonly tax: number;
}

/** The content of a document. Amounts are in hundredths. */
export interface Facts {
  readonly kind: Kind;
  readonly language: Language;
  readonly locale: Locale;
  readonly seller: Business;
  readonly buyer: Business;
  readonly number: string;
  /** YYYY-MM-DD, like all dates. */
  readonly date: string;
  readonly due: string;
  readonly delivered: string;
  readonly order: string;
  readonly customerNo: string;
  readonly items: readonly Item[];
  readonly taxIncluded: boolean;
  readonly taxes: readonly TaxPart[];
  readonly net: number;
  readonly tax: number;
  /** With tax, tip and rounding. */
  readonly total: number;
  readonly discount: number;
  readonly shipping: number;
  readonly tip: number;
  readonly rounding: number;
  readonly deposit: number;
  /** 0 unless the customer paid in cash. */
  readonly cash: number;
}

const DAY_MS = 86_400_000;
const later = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);

function itemsOf(kind: Kind, language: Language, rates: readonly number[], draw: Draw): Item[] {
  const receipt = kind === 'receipt';
  const count = receipt ? draw.whole(1, 8) : draw.whole(1, 9);
  const mixed = draw.chance(0.3);
  return Array.from({ length: count }, () => {
    const quantity = draw.chance(0.6) ? 1 : draw.whole(2, 12);
    const price = receipt ? draw.whole(90, 6900) : draw.whole(450, draw.chance(0.3) ? 240_000 : 19_900);
    return {
      name: draw.one(WORDINGS[language].items),
      quantity,
      price,
      amount: price * quantity,
      rate: mixed ? draw.one(rates) : (rates[0] ?? 0),
    };
  });
}

/** Returns the tax of each rate. Discount and shipping have the first rate. */
function taxesOf(
  items: readonly Item[],
  extra: number,
  rates: readonly number[],
  included: boolean,
): TaxPart[] {
  const sums = new Map<number, number>();
  for (const { rate, amount } of items) sums.set(rate, (sums.get(rate) ?? 0) + amount);
  const normal = rates[0] ?? 0;
  if (extra !== 0) sums.set(normal, (sums.get(normal) ?? 0) + extra);
  return [...sums.entries()]
    .sort(([one], [other]) => other - one)
    .map(([rate, sum]) => {
      const tax = Math.round(included ? (sum * rate) / (100 + rate) : (sum * rate) / 100);
      return { rate, base: included ? sum - tax : sum, tax };
    });
}

interface Extras {
  readonly discount: number;
  readonly shipping: number;
  readonly tip: number;
}

function extrasOf(kind: Kind, sum: number, draw: Draw): Extras {
  const share = (probability: number, least: number, most: number): number =>
    draw.chance(probability) ? Math.round((sum * draw.whole(least, most)) / 100) : 0;
  const discount = share(0.15, 5, 15);
  const shipping = kind === 'invoice' && draw.chance(0.15) ? draw.whole(390, 1990) : 0;
  return { discount, shipping, tip: kind === 'receipt' ? share(0.15, 8, 12) : 0 };
}

/** Rounds to five hundredths, as shops do where the smallest coins are not in use. */
const roundedBy = (cents: number): number => Math.round(cents / 5) * 5 - cents;

function paymentOf(kind: Kind, total: number, draw: Draw): { cash: number; deposit: number } {
  if (kind === 'credit') return { cash: 0, deposit: 0 };
  if (kind === 'receipt')
    return { deposit: 0, cash: draw.chance(0.45) ? Math.ceil((total + draw.whole(0, 900)) / 500) * 500 : 0 };
  return { cash: 0, deposit: draw.chance(0.15) ? Math.round(total * draw.one([0.2, 0.3, 0.5])) : 0 };
}

/** Israel has one rate, which was raised; fruit and exports have none. */
const ratesOn = (date: string, { country, rates }: Locale): readonly number[] =>
  country === 'IL' ? [date < '2025-01-01' ? 17 : 18, 0] : rates;

const EARLIEST = Date.parse('2019-01-05');
const DAYS = 2700;

/** Invents the content of a document of a vendor. */
export function factsOf(kind: Kind, writer: Writer, seller: Business, draw: Draw): Facts {
  const { language } = writer;
  const { locale } = seller;
  const exempt = draw.chance(0.05);
  const date = new Date(EARLIEST + draw.whole(0, DAYS) * DAY_MS).toISOString().slice(0, 10);
  const rates = exempt ? [0] : ratesOn(date, locale);
  const items = itemsOf(kind, language, rates, draw);
  const sum = items.reduce((all, { amount }) => all + amount, 0);
  const { discount, shipping, tip } = extrasOf(kind, sum, draw);
  const taxIncluded = kind === 'receipt' && locale.country !== 'US';
  const taxes = taxesOf(items, shipping - discount, rates, taxIncluded);
  const net = taxes.reduce((all, { base }) => all + base, 0);
  const tax = taxes.reduce((all, part) => all + part.tax, 0);
  const rounding = kind === 'receipt' && draw.chance(0.15) ? roundedBy(net + tax + tip) : 0;
  const total = net + tax + tip + rounding;
  return {
    kind,
    language,
    locale,
    seller,
    buyer: customerOf(language, locale, draw),
    number: printedNumber(date, writer.numberStyle, writer.say(kind), draw),
    date,
    due: later(date, draw.one([7, 14, 30])),
    delivered: later(date, -draw.whole(1, 9)),
    order: `${draw.one(['', 'PO-', 'B', ''])}${draw.digits(6)}`,
    customerNo: draw.digits(5),
    items,
    taxIncluded,
    taxes: exempt ? [] : taxes,
    net,
    tax,
    total,
    discount,
    shipping,
    tip,
    rounding,
    ...paymentOf(kind, total, draw),
  };
}
