import { isId } from '@counterfoil/kernel';
import { type EntryFields, openFields } from './entry-fields';
import { type PriceTier, readTiers } from './price-tier';
import { PricelistProblems } from './pricelist-problems';

export const ENTRIES_MAX = 10_000;
export const TIERS_MAX = 100;
export const VENDOR_SKU_MAX = 100;

export const PRICING_MODES = ['default', 'fixed', 'tiers'] as const;
type PricingMode = (typeof PRICING_MODES)[number];

export const TIERS_MODES = ['range', 'quantity'] as const;
type TiersMode = (typeof TIERS_MODES)[number];

/**
 * A vendor's price of a product (contract §6.2). All fields that were sent are kept, even those that the mode
 * does not use.
 */
export interface Pricing {
  readonly pricingMode: PricingMode;
  /** The price under `fixed`, the base of percent and amount tiers under `tiers`. */
  readonly buyingPrice: number | null;
  /** In the order in which they were sent; the tiers do not overlap. */
  readonly priceTiers: readonly PriceTier[] | null;
  /** Never null under `tiers`. */
  readonly tiersMode: TiersMode | null;
  readonly quantityStep: number | null;
  readonly quantityStepPrice: number | null;
}

export interface PricelistEntry extends Pricing {
  readonly productId: number;
  /** The vendor's own SKU. */
  readonly vendorSku: string | null;
}

/**
 * Validates the `entries` of a request slice by slice (contract §6.2, §6.6). It does so by hand instead of
 * with class-validator, since there are up to ten thousand entries.
 */
export class PricelistReading {
  private readonly problems = new PricelistProblems();
  private readonly entries: PricelistEntry[] = [];
  /** The index of each product's entry. */
  private readonly places = new Map<number, number>();
  private index = 0;

  /** Reads the next entries. */
  read(sent: readonly unknown[]): void {
    for (const entry of sent) {
      if (this.problems.isFull) return;
      this.readOne(entry, this.index);
      this.index += 1;
    }
  }

  /** @throws AppError `INVALID_PRICELIST` with up to a hundred problems */
  finish(): PricelistEntry[] {
    this.problems.throwIfAny();
    return this.entries;
  }

  private readOne(sent: unknown, index: number): void {
    const productId = readProductId(sent);
    const report = this.problems.reporterFor(index, productId);
    const fields = openFields(sent, report);
    const before = productId === null ? undefined : this.places.get(productId);
    if (before !== undefined) report('productId', `repeats the one of entries[${before}]`);
    else if (productId !== null) this.places.set(productId, index);
    if (fields) this.entries.push(readEntry(fields, productId));
  }
}

/**
 * @param unknown products that the company does not have
 * @throws AppError `INVALID_PRICELIST` when an entry is for one of them (contract §6.6)
 */
export function assertKnownProducts(entries: readonly PricelistEntry[], unknown: ReadonlySet<number>): void {
  const problems = new PricelistProblems();
  for (const [index, { productId }] of entries.entries()) {
    if (!unknown.has(productId)) continue;
    problems.reporterFor(index, productId)('productId', 'refers to no product of this company');
  }
  problems.throwIfAny();
}

function readProductId(sent: unknown): number | null {
  const { productId } = (sent ?? {}) as { readonly productId?: unknown };
  return isId(productId) ? productId : null;
}

function readEntry(fields: EntryFields, productId: number | null): PricelistEntry {
  if (fields.require('productId') && productId === null) fields.report('productId', 'must be a numeric id');
  fields.require('pricingMode');
  const pricingMode = fields.readChoice('pricingMode', PRICING_MODES) ?? 'default';
  const vendorSku = fields.readText('vendorSku', VENDOR_SKU_MAX);
  const buyingPrice = fields.readDecimal('buyingPrice');
  const tiers = fields.readList('priceTiers', TIERS_MAX);
  const tiersMode = fields.readChoice('tiersMode', TIERS_MODES);
  const entry: PricelistEntry = {
    productId: productId ?? 0,
    vendorSku,
    pricingMode,
    buyingPrice,
    priceTiers: tiers && readTiers(tiers, fields.report),
    tiersMode: tiersMode ?? (pricingMode === 'tiers' ? 'range' : null),
    quantityStep: fields.readDecimal('quantityStep', { aboveZero: true }),
    quantityStepPrice: fields.readDecimal('quantityStepPrice'),
  };
  requireByMode(fields, entry, tiers);
  return entry;
}

/** Reports the fields that are missing for the entry's mode. */
function requireByMode(
  fields: EntryFields,
  { pricingMode, tiersMode }: PricelistEntry,
  tiers: readonly unknown[] | null,
): void {
  if (pricingMode === 'fixed') fields.require('buyingPrice', ' when pricingMode is fixed');
  if (pricingMode !== 'tiers') return;
  if (tiersMode === 'quantity') {
    fields.require('quantityStep', ' when tiersMode is quantity');
    fields.require('quantityStepPrice', ' when tiersMode is quantity');
    return;
  }
  fields.require('priceTiers', ' when pricingMode is tiers');
  if (tiers?.length === 0) fields.report('priceTiers', 'must not be empty when pricingMode is tiers');
}
