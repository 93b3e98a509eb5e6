import type { AnswerOf, BodyOf } from '@counterfoil/sdk';
import type { EntryDraft, TierDraft } from './entries.ts';

type Stored = AnswerOf<'GET /vendors/id/{visibleId}/pricelist'>['entries'][number];
type Sent = BodyOf<'PUT /vendors/id/{visibleId}/pricelist'>['entries'][number];

const text = (value: number | null | undefined) =>
  value === null || value === undefined ? '' : String(value);
const number = (value: string) => (value.trim() === '' ? null : Number(value));

/** A stored entry as the grid shows it. */
export function draftOf(entry: Stored): EntryDraft {
  const isSteps = entry.pricingMode === 'tiers' && entry.tiersMode === 'quantity';
  return {
    productId: entry.productId,
    productName: entry.productName,
    productSku: entry.productSku,
    productPrice: entry.productBuyingPrice,
    vendorSku: entry.vendorSku ?? '',
    mode: isSteps ? 'steps' : entry.pricingMode,
    price: text(entry.buyingPrice),
    tiers: (entry.priceTiers ?? []).map(({ from, to, tierType, ...rest }) => ({
      ...{ from: text(from), to: text(to), kind: tierType },
      value: text(rest.price ?? rest.discountPercent ?? rest.discountAmount),
    })),
    step: text(entry.quantityStep),
    stepPrice: text(entry.quantityStepPrice),
  };
}

/** An entry as the service takes it. */
export function bodyOf(entry: EntryDraft): Sent {
  const { productId, vendorSku, mode, price } = entry;
  const common = { productId, vendorSku: vendorSku.trim() === '' ? null : vendorSku.trim() };
  switch (mode) {
    case 'default':
      return { ...common, pricingMode: 'default' };
    case 'fixed':
      return { ...common, pricingMode: 'fixed', buyingPrice: number(price) };
    case 'tiers':
      return {
        ...{ ...common, pricingMode: 'tiers', tiersMode: 'range', buyingPrice: number(price) },
        priceTiers: entry.tiers.map(tierBody),
      };
    case 'steps':
      return {
        ...{ ...common, pricingMode: 'tiers', tiersMode: 'quantity', buyingPrice: number(price) },
        ...{ quantityStep: number(entry.step), quantityStepPrice: number(entry.stepPrice) },
      };
  }
}

function tierBody({ from, to, kind, value }: TierDraft) {
  const bounds = { from: Number(from), to: Number(to), tierType: kind };
  if (kind === 'fixed') return { ...bounds, price: Number(value) };
  return kind === 'percent'
    ? { ...bounds, discountPercent: Number(value) }
    : { ...bounds, discountAmount: Number(value) };
}
