import type { Report } from './pricelist-problems';
import { openFields, type EntryFields } from './entry-fields';

export const TIER_TYPES = ['fixed', 'percent', 'amount'] as const;
type TierType = (typeof TIER_TYPES)[number];

/** The quantities of a tier, both bounds inclusive (contract §6.3). */
interface Bounds {
  readonly from: number;
  readonly to: number;
}

/** The unit price within the bounds (contract §6.3). It holds the field of its own type and no other. */
export type PriceTier = Bounds &
  (
    | { readonly tierType: 'fixed'; readonly price: number }
    | { readonly tierType: 'percent'; readonly discountPercent: number }
    | { readonly tierType: 'amount'; readonly discountAmount: number }
  );

/** The indexes of two tiers in their list, the lower one first. */
export type OverlappingPair = readonly [number, number];

const PERCENT = { max: 100 };
const VALUE_FIELDS: Record<TierType, string> = {
  fixed: 'price',
  percent: 'discountPercent',
  amount: 'discountAmount',
};

/** Reads the tiers of one entry in their order, and reports all problems. */
export function readTiers(sent: readonly unknown[], report: Report): PriceTier[] {
  const tiers: (PriceTier | null)[] = sent.map((one, place) =>
    readTier(one, (field, problem) =>
      report(field === '' ? nameTier(place) : `${nameTier(place)}.${field}`, problem),
    ),
  );
  for (const [first, second] of findOverlaps(tiers)) {
    const [one, other] = [first, second].map((place) => `${nameTier(place)} (${formatBounds(tiers[place])})`);
    report(
      nameTier(second),
      `(${formatBounds(tiers[second])}) overlaps ${one}; both bounds of a tier are inclusive`,
      `${one} and ${other} overlap; both bounds of a tier are inclusive`,
    );
  }
  return tiers.filter((tier) => tier !== null);
}

/**
 * Finds the pairs of tiers that have a quantity in common. Each tier is compared only with the one before it
 * that reaches furthest, so not all pairs are named, but at least one if any exists. Nulls are skipped.
 */
export function findOverlaps(tiers: readonly (Bounds | null)[]): OverlappingPair[] {
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

/**
 * Fast path for nearly all lists: each tier begins above the end of the one before, so nothing needs sorting.
 */
function isRising(tiers: readonly (Bounds | null)[]): boolean {
  let end = -1;
  for (const tier of tiers) {
    if (!tier || tier.from <= end) return false;
    end = tier.to;
  }
  return true;
}

function readTier(sent: unknown, report: Report): PriceTier | null {
  const fields = openFields(sent, report);
  if (!fields) return null;
  const bounds = readBounds(fields);
  fields.require('tierType');
  const tierType = fields.readChoice('tierType', TIER_TYPES);
  // Values of the other types are validated too, but not kept, since no price is computed from them.
  const price = fields.readDecimal('price');
  const discountPercent = fields.readDecimal('discountPercent', PERCENT);
  const discountAmount = fields.readDecimal('discountAmount');
  if (tierType) fields.require(VALUE_FIELDS[tierType], ` when tierType is ${tierType}`);
  if (!bounds || !tierType) return null;
  const { from, to } = bounds;
  if (tierType === 'fixed') return price === null ? null : { from, to, tierType, price };
  if (tierType === 'amount') return discountAmount === null ? null : { from, to, tierType, discountAmount };
  return discountPercent === null ? null : { from, to, tierType, discountPercent };
}

function readBounds(fields: EntryFields): Bounds | null {
  fields.require('from');
  fields.require('to', ': a tier needs an upper bound');
  const [from, to] = [fields.readDecimal('from'), fields.readDecimal('to')];
  if (from === null || to === null) return null;
  if (from <= to) return { from, to };
  fields.report('', `from (${from}) must not be above to (${to})`);
  return null;
}

const nameTier = (place: number) => `priceTiers[${place}]`;
const formatBounds = (tier: Bounds | null | undefined) => (tier ? `${tier.from} to ${tier.to}` : '');
