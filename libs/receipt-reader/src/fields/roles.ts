import type { Label } from './labels';
import type { Concept } from './vocabulary';

/** The role of an amount according to its labels. */
export type Role =
  | ''
  | 'grand'
  | 'gross'
  | 'nett'
  | 'due'
  | 'rounded'
  | 'total'
  | 'amount'
  | 'sub'
  | 'net'
  | 'tax'
  | 'taxTotal'
  | 'inclTax'
  | 'rounding'
  | 'cash'
  | 'paidTotal'
  | 'card'
  | 'change'
  | 'discount'
  | 'qty'
  | 'service'
  | 'deposit'
  | 'points'
  | 'summary'
  | 'price'
  | 'other';

/** The roles that the total of a document may have. */
export const TOTAL_ROLES: ReadonlySet<Role> = new Set([
  'grand',
  'gross',
  'nett',
  'due',
  'rounded',
  'total',
  'paidTotal',
]);

const AMOUNT_CONCEPTS: ReadonlySet<Concept> = new Set([
  'grand',
  'total',
  'nett',
  'due',
  'amount',
  'sub',
  'excl',
  'incl',
  'inclTax',
  'tax',
  'rounding',
  'cash',
  'paid',
  'card',
  'change',
  'discount',
  'afterDiscount',
  'qty',
  'service',
  'deposit',
  'points',
  'summary',
  'price',
]);

const OTHER_CONCEPTS: ReadonlySet<Concept> = new Set([
  'phone',
  'bank',
  'taxId',
  'companyNo',
  'reference',
  'order',
  'table',
]);

/** Roles that one word decides regardless of the other words, in order of priority. */
const DECISIVE: readonly (readonly [Concept, Role])[] = [
  ['rounding', 'rounding'],
  ['change', 'change'],
  ['points', 'points'],
  ['discount', 'discount'],
  ['deposit', 'deposit'],
];

/** Returns the role of an amount from its labels, which are in reading order. */
export function roleOf(labels: readonly Label[]): Role {
  const concepts = labels.map((label) => label.concept).filter((concept) => AMOUNT_CONCEPTS.has(concept));
  const has = (...wanted: Concept[]): boolean => wanted.some((concept) => concepts.includes(concept));
  if (concepts.length === 0) {
    return labels.some((label) => OTHER_CONCEPTS.has(label.concept)) ? 'other' : '';
  }
  const decisive = DECISIVE.find(([concept]) => has(concept));
  if (decisive) return decisive[1];
  const totalled = has('total', 'grand', 'nett', 'due', 'amount', 'sub');
  if (has('qty') && !has('grand', 'incl', 'inclTax', 'tax', 'sub')) return 'qty';
  if (has('excl')) return 'net';
  if (has('incl', 'inclTax')) return inclusiveRole(concepts, totalled);
  if (has('tax')) return has('total') ? 'taxTotal' : has('sub') ? 'sub' : has('summary') ? 'summary' : 'tax';
  return plainRole(has);
}

/**
 * "Total incl. VAT" is a total. The label "incl. VAT" alone may mean the tax or the gross amount; the size
 * decides.
 */
function inclusiveRole(concepts: readonly Concept[], totalled: boolean): Role {
  if (totalled && taxComesFirst(concepts)) return 'tax';
  if (totalled && concepts[0] !== 'inclTax') return 'gross';
  return concepts.includes('inclTax') || concepts.includes('tax') ? 'inclTax' : 'gross';
}

/** "VAT included in total: 1.20" labels the tax, "Total incl. VAT: 7.20" the total. */
function taxComesFirst(concepts: readonly Concept[]): boolean {
  const tax = concepts.indexOf('tax');
  const total = concepts.findIndex((concept) =>
    ['total', 'grand', 'nett', 'due', 'amount', 'sub'].includes(concept),
  );
  const incl = concepts.indexOf('incl');
  return tax >= 0 && (total < 0 || tax < total) && tax < incl;
}

/** Roles by a single kind of word, in order of priority. */
const PLAIN: readonly (readonly [Concept, Role])[] = [
  ['sub', 'sub'],
  ['afterDiscount', 'sub'],
  ['service', 'service'],
  ['paid', 'paidTotal'],
  ['cash', 'cash'],
  ['card', 'card'],
  ['grand', 'grand'],
  ['nett', 'nett'],
  ['due', 'due'],
  ['total', 'total'],
  ['summary', 'summary'],
  ['amount', 'amount'],
];

function plainRole(has: (...wanted: Concept[]) => boolean): Role {
  const role = PLAIN.find(([concept]) => has(concept))?.[1] ?? 'price';
  return role === 'cash' && has('total', 'grand') ? 'paidTotal' : role;
}
