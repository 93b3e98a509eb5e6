import { isId } from '@counterfoil/kernel';
import { type EntryFields, fieldsOf } from './entry-fields';
import { type PriceTier, readTiers } from './price-tier';
import { PricelistProblems } from './pricelist-problems';

export const ENTRIES_MAX = 10_000;
export const TIERS_MAX = 100;
export const VENDOR_SKU_MAX = 100;

export const PRICING_MODES = ['default', 'fixed', 'tiers'] as const;
type PricingMode = (typeof PRICING_MODES)[number];

export const TIERS_MODES = ['range', 'quantity'] as const;
type TiersMode = (typeof TIERS_MODES)[number];

/** What a vendor asks for a product (spec: Pricelist entry). Whatever was sent is kept, whether the mode uses it or not. */
export interface Pricing {
  readonly pricingMode: PricingMode;
  /** The price under `fixed`, the base of percent and amount tiers under `tiers`. */
  readonly buyingPrice: number | null;
  /** In the order in which they were sent. */
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
 * Reads a pricelist out of what was sent as `entries` (decisions §5, §12), slice by slice. By hand: there are up to ten
 * thousand entries.
 */
export class PricelistReading {
  private readonly problems = new PricelistProblems();
  private readonly entries: PricelistEntry[] = [];
  /** Where each product stands. */
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

  /** @throws AppError `INVALID_PRICELIST`, naming up to a hundred problems */
  finish(): PricelistEntry[] {
    this.problems.throwIfAny();
    return this.entries;
  }

  private readOne(sent: unknown, index: number): void {
    const productId = productIdOf(sent);
    const report = this.problems.of(index, productId);
    const fields = fieldsOf(sent, report);
    const before = productId === null ? undefined : this.places.get(productId);
    if (before !== undefined) report('productId', `is also that of entries[${before}]`);
    else if (productId !== null) this.places.set(productId, index);
    if (fields) this.entries.push(readEntry(fields, productId));
  }
}

/**
 * @param unknown products that the company does not have
 * @throws AppError `INVALID_PRICELIST` when an entry is for one of them (decisions §2)
 */
export function assertKnownProducts(entries: readonly PricelistEntry[], unknown: ReadonlySet<number>): void {
  const problems = new PricelistProblems();
  for (const [index, { productId }] of entries.entries()) {
    if (!unknown.has(productId)) continue;
    problems.of(index, productId)('productId', 'refers to no product of this company');
  }
  problems.throwIfAny();
}

function productIdOf(sent: unknown): number | null {
  const { productId } = (sent ?? {}) as { readonly productId?: unknown };
  return isId(productId) ? productId : null;
}

function readEntry(fields: EntryFields, productId: number | null): PricelistEntry {
  if (fields.require('productId') && productId === null) fields.report('productId', 'must be a numeric id');
  fields.require('pricingMode');
  const pricingMode = fields.choice('pricingMode', PRICING_MODES) ?? 'default';
  const vendorSku = fields.text('vendorSku', VENDOR_SKU_MAX);
  const buyingPrice = fields.decimal('buyingPrice');
  const tiers = fields.list('priceTiers', TIERS_MAX);
  const tiersMode = fields.choice('tiersMode', TIERS_MODES);
  const entry: PricelistEntry = {
    productId: productId ?? 0,
    vendorSku,
    pricingMode,
    buyingPrice,
    priceTiers: tiers && readTiers(tiers, fields.report),
    tiersMode: tiersMode ?? (pricingMode === 'tiers' ? 'range' : null),
    quantityStep: fields.decimal('quantityStep', { aboveZero: true }),
    quantityStepPrice: fields.decimal('quantityStepPrice'),
  };
  requireByMode(fields, entry, tiers);
  return entry;
}

/** What an entry must have to say a price under its mode. */
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
