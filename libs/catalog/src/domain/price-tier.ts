import type { Report } from './pricelist-problems';
import { fieldsOf, type EntryFields } from './entry-fields';

export const TIER_TYPES = ['fixed', 'percent', 'amount'] as const;
type TierType = (typeof TIER_TYPES)[number];

/** The quantities that a tier is for. Both belong to it (decisions §5). */
interface Bounds {
  readonly from: number;
  readonly to: number;
}

/** What a unit costs within its bounds (spec: Price tier). It holds the field of its own type and no other. */
export type PriceTier = Bounds &
  (
    | { readonly tierType: 'fixed'; readonly price: number }
    | { readonly tierType: 'percent'; readonly discountPercent: number }
    | { readonly tierType: 'amount'; readonly discountAmount: number }
  );

/** Two tiers of a list by their places in it, the later one second. */
export type OverlappingPair = readonly [number, number];

const PERCENT = { max: 100 };
const VALUE_OF: Record<TierType, string> = {
  fixed: 'price',
  percent: 'discountPercent',
  amount: 'discountAmount',
};

/** Reads what was sent for one entry's tiers, in its order, and reports whatever is wrong with it. */
export function readTiers(sent: readonly unknown[], report: Report): PriceTier[] {
  const tiers: (PriceTier | null)[] = sent.map((one, place) =>
    readTier(one, (field, problem) =>
      report(field === '' ? nameOf(place) : `${nameOf(place)}.${field}`, problem),
    ),
  );
  for (const [first, second] of overlapsOf(tiers)) {
    const [one, other] = [first, second].map((place) => `${nameOf(place)} (${boundsOf(tiers[place])})`);
    report(
      nameOf(second),
      `(${boundsOf(tiers[second])}) overlaps ${one}; a tier holds both its bounds`,
      `${one} and ${other} overlap; a tier holds both its bounds`,
    );
  }
  return tiers.filter((tier) => tier !== null);
}

/**
 * The pairs of tiers that have a quantity in common, each tier at most once as the one that comes later on the scale.
 * Empty when every quantity is in one tier at most. What is null is passed over.
 */
export function overlapsOf(tiers: readonly (Bounds | null)[]): OverlappingPair[] {
  if (isRising(tiers)) return [];
  const placed = tiers.flatMap((tier, place) => (tier ? [{ ...tier, place }] : []));
  placed.sort((one, other) => one.from - other.from || one.place - other.place);
  const pairs: OverlappingPair[] = [];
  let [furthest] = placed;
  for (const tier of placed.slice(1)) {
    if (!furthest) break;
    if (tier.from <= furthest.to) {
      pairs.push([Math.min(tier.place, furthest.place), Math.max(tier.place, furthest.place)]);
    }
    if (tier.to > furthest.to) furthest = tier;
  }
  return pairs;
}

/** As nearly all lists are: each tier begins above the end of the one before, and there is nothing to sort. */
function isRising(tiers: readonly (Bounds | null)[]): boolean {
  let end = -1;
  for (const tier of tiers) {
    if (!tier || tier.from <= end) return false;
    end = tier.to;
  }
  return true;
}

function readTier(sent: unknown, report: Report): PriceTier | null {
  const fields = fieldsOf(sent, report);
  if (!fields) return null;
  const bounds = readBounds(fields);
  fields.require('tierType');
  const tierType = fields.choice('tierType', TIER_TYPES);
  // Those of the other types are checked as well, and not kept: they would say what nothing is computed from.
  const price = fields.decimal('price');
  const discountPercent = fields.decimal('discountPercent', PERCENT);
  const discountAmount = fields.decimal('discountAmount');
  if (tierType) fields.require(VALUE_OF[tierType], ` when tierType is ${tierType}`);
  if (!bounds || !tierType) return null;
  const { from, to } = bounds;
  if (tierType === 'fixed') return price === null ? null : { from, to, tierType, price };
  if (tierType === 'amount') return discountAmount === null ? null : { from, to, tierType, discountAmount };
  return discountPercent === null ? null : { from, to, tierType, discountPercent };
}

function readBounds(fields: EntryFields): Bounds | null {
  fields.require('from');
  fields.require('to', ': a tier has no open end');
  const [from, to] = [fields.decimal('from'), fields.decimal('to')];
  if (from === null || to === null) return null;
  if (from <= to) return { from, to };
  fields.report('', `from (${from}) must not be above to (${to})`);
  return null;
}

const nameOf = (place: number) => `priceTiers[${place}]`;
const boundsOf = (tier: Bounds | null | undefined) => (tier ? `${tier.from} to ${tier.to}` : '');
