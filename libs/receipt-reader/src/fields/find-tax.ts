import type { Arithmetic } from './arithmetic';
import { placeOf } from './find-total';
import { bucket, flags, type Candidate, type Features } from './model';
import type { Amount } from './money';
import type { Sheet } from './sheet';

/** A tax, in hundredths. It may be the sum of separate taxes whose total is not printed. */
export interface Tax {
  readonly cents: number;
  readonly printed: boolean;
}

/** Returns features that compare a tax with the total. */
function againstTotal(cents: number, total: number | undefined, arithmetic: Arithmetic): Features {
  if (total === undefined) return { noTotal: 1 };
  const net = total - cents;
  // On a credit note all amounts are negative.
  const sign = total < 0 ? -1 : 1;
  const nets = cents === 0 ? [] : arithmetic.near(net);
  return flags({
    netPrinted: nets.length > 0,
    netLabelled: nets.some((other) => other.role === 'net' || other.role === 'sub' || other.column === 'net'),
    netSummarised: nets.some((other) => other.inSummary),
    knownRate: cents * sign > 0 && arithmetic.knownRate(cents * sign, net * sign),
    printedRate: cents * sign > 0 && arithmetic.printedRate(cents * sign, net * sign),
    tooLarge: cents * sign * 3 > total * sign,
    isTotal: cents === total,
  });
}

function labelFeatures(amount: Amount): Features {
  const own = amount.role === '' ? 'none' : amount.role;
  return {
    [`role:${own}${amount.direct || amount.role === '' ? '' : '~'}`]: 1,
    ...(amount.column !== '' && { [`column:${amount.column}`]: 1 }),
    ...(amount.inSummary && { [`summary:${amount.column === '' ? 'none' : amount.column}`]: 1 }),
  };
}

/** Returns features that compare a tax with the other taxes. */
function amongTaxes(amount: Amount, amounts: readonly Amount[], arithmetic: Arithmetic): Features {
  const taxed = arithmetic.isTax(amount);
  const larger = amounts.some((other) => arithmetic.isTax(other) && other.cents > amount.cents);
  const zero = amount.cents === 0;
  return flags({
    taxed,
    zero,
    zeroTaxed: zero && taxed,
    zeroOfMore: zero && larger,
    smallerTaxed: taxed && larger,
    summaryTotal: amount.column === 'tax' && (amount.role === 'total' || amount.role === 'taxTotal'),
    ownRate: (amount.rate ?? 0) > 0,
    zeroRate: amount.rate === 0,
  });
}

interface Sum {
  readonly parts: readonly Amount[];
  readonly cents: number;
  /** True if each part stands beside the amount that it taxes. */
  readonly based: boolean;
}

/** True if the row also has the net or the gross amount that matches the tax and its rate. */
function isBased(tax: Amount, amounts: readonly Amount[]): boolean {
  const rate = tax.rate ?? 0;
  return amounts.some((base) => {
    if (base.line !== tax.line || base === tax) return false;
    const ofNet = (base.cents * rate) / 10_000;
    const ofGross = (base.cents * rate) / (10_000 + rate);
    return Math.min(Math.abs(ofNet - tax.cents), Math.abs(ofGross - tax.cents)) <= 1.5;
  });
}

/** Adds up the taxes of several rates or kinds. */
function sumsOfTaxes(amounts: readonly Amount[], arithmetic: Arithmetic): Sum[] {
  const taxes = amounts.filter(
    (amount) =>
      amount.cents !== 0 && amount.role !== 'taxTotal' && arithmetic.isTax(amount) && amount.rate !== 0,
  );
  const rated = taxes.filter((amount) => amount.rate !== undefined);
  const byRate = [...new Map(rated.map((amount) => [amount.rate, amount])).values()];
  const kinds = taxes.filter((amount) => amount.role === 'tax' && amount.direct && !amount.inSummary);
  return [byRate, kinds]
    .filter((parts) => parts.length > 1 && new Set(parts.map(({ cents }) => cents > 0)).size === 1)
    .map((parts) => ({
      parts,
      cents: parts.reduce((sum, part) => sum + part.cents, 0),
      based: parts.every((part) => part.rate !== undefined && isBased(part, amounts)),
    }));
}

/**
 * Returns the candidates for the tax of the document. `total` is in hundredths, or undefined if none was
 * found.
 */
export function taxCandidates(
  sheet: Sheet,
  amounts: readonly Amount[],
  arithmetic: Arithmetic,
  total: number | undefined,
): Candidate<Tax>[] {
  const recognised = sheet.source === 'ocr';
  const sums = sumsOfTaxes(amounts, arithmetic).filter(
    (sum) => total === undefined || Math.abs(sum.cents) < Math.abs(total),
  );
  const based = sums.filter((sum) => sum.based);
  const printed = amounts
    // Labels of text that was not recognised by OCR are reliable, so a tax must have one.
    .filter((amount) => recognised || arithmetic.isTax(amount) || amount.inSummary)
    .filter((amount) => total === undefined || Math.abs(amount.cents) <= Math.abs(total))
    .map((amount) => ({
      value: { cents: amount.cents, printed: true },
      key: String(amount.cents),
      at: amount,
      features: {
        ...labelFeatures(amount),
        ...placeOf(sheet, amount),
        ...bucket('repeats', arithmetic.repeats(amount.cents), [2, 3]),
        ...amongTaxes(amount, amounts, arithmetic),
        ...againstTotal(amount.cents, total, arithmetic),
        ...flags({
          negative: amount.cents < 0 && (total === undefined || total > 0),
          partOfSum: based.some((sum) => sum.parts.some((part) => part.cents === amount.cents)),
        }),
      },
    }));
  const summed = sums.map(({ cents, based: isSure }) => ({
    value: { cents, printed: false },
    key: String(cents),
    features: { ...againstTotal(cents, total, arithmetic), ...flags({ summed: true, based: isSure }) },
  }));
  return [...printed, ...summed];
}
