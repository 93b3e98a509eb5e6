import type { Arithmetic } from './arithmetic';
import { bucket, flags, type Candidate, type Features } from './model';
import type { Amount } from './money';
import { TOTAL_ROLES, type Role } from './roles';
import { cellAt, type Sheet } from './sheet';
import { countOf } from './text';

const PAYMENT: ReadonlySet<Role> = new Set(['cash', 'card', 'change', 'deposit', 'points']);

/** Returns the features of the position of an amount on the sheet. */
export function placeOf(sheet: Sheet, amount: Amount): Features {
  const { line } = amount;
  return {
    ...bucket('place', (line.page + line.place) / Math.max(sheet.pages, 1), [0.3, 0.5, 0.7, 0.9]),
    ...flags({
      printed: sheet.source !== 'ocr',
      last: amount.last,
      tall: line.height > 1.25 * sheet.height,
      repaired: amount.repaired,
      currency: amount.currency,
      whole: amount.decimals === 0,
      agrees: amount.agreement === 1,
      disagrees: amount.agreement === -1,
    }),
  };
}

function roleFeatures(amount: Amount, totalled: boolean): Features {
  const own = `role:${amount.role === '' ? 'none' : amount.role}`;
  return {
    [amount.direct || amount.role === '' ? own : `${own}~`]: 1,
    ...(amount.role === '' && amount.column !== '' && { [`column:${amount.column}`]: 1 }),
    ...(!totalled && { [`untotalled:${amount.role === '' ? 'none' : amount.role}`]: 1 }),
    ...(amount.inSummary && { [`summary:${amount.column === '' ? 'none' : amount.column}`]: 1 }),
  };
}

/** Words of a credit note or refund. Such documents may print their amounts as negative. */
const CREDITED =
  /credit\s+(?:note|memo)|refund|gutschrift|storno|facture d'avoir|(?<!\p{L})avoir(?!\p{L})|nota (?:de|di) cr[eé]dito|creditnota|kreditnota|זיכוי/iu;

const isCredit = (sheet: Sheet): boolean => CREDITED.test(sheet.text);

function sizeFeatures(amount: Amount, amounts: readonly Amount[], credit: boolean): Features {
  const totals = amounts.filter((other) => TOTAL_ROLES.has(other.role) && other.direct);
  const payable = amounts.filter((other) => !PAYMENT.has(other.role));
  const sizeOf = ({ cents }: Amount): number => (credit ? Math.abs(cents) : cents);
  const size = sizeOf(amount);
  return flags({
    largest: payable.every((other) => sizeOf(other) <= size),
    largestTotal: totals.length > 0 && totals.every((other) => sizeOf(other) <= size),
    smallerTotal: totals.some((other) => sizeOf(other) > size),
    lastTotal: totals.at(-1)?.cents === amount.cents,
    negative: amount.cents < 0 && !credit,
    zero: amount.cents === 0,
  });
}

/** Adds whether the sums prove the amount: net and tax make it, and no other amount is larger. */
const provenFeatures = (sums: Features, size: Features): Features => ({
  ...sums,
  ...size,
  ...flags({ proven: sums['sum:net+tax'] === 1 && size['largest'] === 1 }),
});

/** If more letters than this surround an amount, it is part of a sentence and not a labelled sum. */
const SENTENCE_LETTERS = 45;

function isSentence({ line, start, end }: Amount): boolean {
  const cell = cellAt(line, start);
  if (!cell) return false;
  const others = cell.text.slice(0, start - cell.start) + cell.text.slice(end - cell.start);
  return countOf(others, /\p{L}/gu) > SENTENCE_LETTERS;
}

/** Returns the candidates for the total with tax. */
export function totalCandidates(
  sheet: Sheet,
  amounts: readonly Amount[],
  arithmetic: Arithmetic,
): Candidate<Amount>[] {
  const paidBefore = amounts.find((amount) => amount.role === 'change' || amount.role === 'cash')?.line.index;
  const credit = isCredit(sheet);
  const totalled = amounts.some((amount) => amount.direct && TOTAL_ROLES.has(amount.role));
  return amounts.map((amount) => ({
    value: amount,
    key: String(amount.cents),
    at: amount,
    features: {
      ...roleFeatures(amount, totalled),
      ...placeOf(sheet, amount),
      ...provenFeatures(
        credit && amount.cents < 0 ? arithmetic.ofCredit(amount) : arithmetic.ofTotal(amount),
        sizeFeatures(amount, amounts, credit),
      ),
      ...bucket('repeats', arithmetic.repeats(amount.cents), [2, 3, 5]),
      ...flags({
        afterPayment: paidBefore !== undefined && amount.line.index > paidBefore,
        apart: amount.apart,
        sentence: isSentence(amount),
      }),
    },
  }));
}

const EVIDENCE = [
  'sum:net+tax',
  'sum:rounded',
  'sum:cashChange',
  'sum:paid',
  'sum:items',
  'sum:extras',
] as const;

/** True if a label or a sum, and not only the position, indicates that the amount is the total. */
export function isSupported(candidate: Candidate<Amount>): boolean {
  const { value, features } = candidate;
  return (
    TOTAL_ROLES.has(value.role) ||
    EVIDENCE.some((name) => features[name] === 1) ||
    TOTAL_ROLES.has(value.column)
  );
}
