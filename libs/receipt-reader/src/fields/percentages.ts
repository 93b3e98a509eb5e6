import type { PrintedNumber } from './amounts';
import type { Line } from './sheet';
import { isDigit } from './text';

type Numbered = Pick<Line, 'text' | 'numbers'>;

/** A rate of VAT, GST or sales tax is at most this, in hundredths of a percent. */
const RATE_MAX = 3000;

/**
 * Returns the numbers of a row that are percentages. Each percent sign belongs to one number: "18% 8.92" is a
 * percentage and an amount. In Hebrew text the sign may stand before its number: "8.92 %18".
 */
export function percentagesOf({ text, numbers }: Numbered): Set<PrintedNumber> {
  const endingAt = new Map(numbers.map((number) => [number.end, number]));
  const startingAt = new Map(numbers.map((number) => [number.start, number]));
  const percentages = new Set<PrintedNumber>();
  for (const { index: sign } of text.matchAll(/%/g)) {
    const isAdjacent = isDigit(text[sign - 1]) || isDigit(text[sign + 1]);
    const [before, after] = isAdjacent ? [sign, sign + 1] : [beforeSpace(text, sign), afterSpace(text, sign)];
    const number = likelier(endingAt.get(before), startingAt.get(after));
    if (number) percentages.add(number);
  }
  return percentages;
}

const beforeSpace = (text: string, sign: number): number => (text[sign - 1] === ' ' ? sign - 1 : sign);
const afterSpace = (text: string, sign: number): number => (text[sign + 1] === ' ' ? sign + 2 : sign + 1);

/** Of two numbers equally near to a percent sign, the one with more decimals is an amount. */
function likelier(
  before: PrintedNumber | undefined,
  after: PrintedNumber | undefined,
): PrintedNumber | undefined {
  if (!before || !after) return before ?? after;
  return after.decimals < before.decimals ? after : before;
}

/** Returns the tax rates that a row prints, in hundredths of a percent: "6%", "@ 6.00 %", "17 %". */
export const ratesOf = (line: Numbered): number[] =>
  [...percentagesOf(line)].map(({ cents }) => cents).filter((rate) => rate <= RATE_MAX);
