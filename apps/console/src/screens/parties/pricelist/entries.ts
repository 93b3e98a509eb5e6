import { numberOf } from '../../../parts/number-text.ts';

/** A tier as it is typed. */
export interface TierDraft {
  readonly from: string;
  readonly to: string;
  readonly kind: 'fixed' | 'percent' | 'amount';
  readonly value: string;
}

/** An entry of a pricelist as it is typed. */
export interface EntryDraft {
  readonly productId: number;
  readonly productName: string;
  readonly productSku: string;
  readonly productPrice: number | null;
  readonly vendorSku: string;
  readonly mode: 'default' | 'fixed' | 'tiers' | 'steps';
  readonly price: string;
  readonly tiers: readonly TierDraft[];
  readonly step: string;
  readonly stepPrice: string;
}

/** A fault of an entry, with the numbers of the tiers from 1. */
export interface EntryProblem {
  readonly text:
    | 'duplicate'
    | 'needsPrice'
    | 'badPrice'
    | 'needsTiers'
    | 'badTier'
    | 'turnedTier'
    | 'overlap'
    | 'needsBase'
    | 'badStep';
  readonly values?: Readonly<Record<string, number>>;
}

export const NEW_TIER: TierDraft = { from: '', to: '', kind: 'fixed', value: '' };

export const isAmount = (text: string): boolean => /^\d{1,10}(\.\d{1,4})?$/.test(text.trim());

/** Checks each entry as the service would (docs/vendors.md, "Pricelists"). */
export function problemsOf(entries: readonly EntryDraft[]): readonly (readonly EntryProblem[])[] {
  const seen = new Set<number>();
  const twice = new Set<number>();
  for (const { productId } of entries) (seen.has(productId) ? twice : seen).add(productId);
  return entries.map((entry) => problemsOfEntry(entry, twice.has(entry.productId)));
}

function problemsOfEntry(entry: EntryDraft, isTwice: boolean): EntryProblem[] {
  const problems: EntryProblem[] = [];
  if (isTwice) problems.push({ text: 'duplicate' });
  const { mode, price } = entry;
  if (mode === 'fixed' && price.trim() === '') problems.push({ text: 'needsPrice' });
  else if (price.trim() !== '' && !isAmount(price)) problems.push({ text: 'badPrice' });
  if (mode === 'steps' && !(isAmount(entry.step) && Number(entry.step) > 0 && isAmount(entry.stepPrice)))
    problems.push({ text: 'badStep' });
  if (mode === 'tiers') problems.push(...problemsOfTiers(entry));
  return problems;
}

function problemsOfTiers({ tiers, price, productPrice }: EntryDraft): EntryProblem[] {
  if (tiers.length === 0) return [{ text: 'needsTiers' }];
  const problems: EntryProblem[] = [];
  tiers.forEach(({ from, to, kind, value }, index) => {
    const tier = index + 1;
    const isWhole = [from, to, value].every(isAmount) && (kind !== 'percent' || Number(value) <= 100);
    if (!isWhole) return problems.push({ text: 'badTier', values: { tier } });
    if (Number(from) > Number(to)) return problems.push({ text: 'turnedTier', values: { tier } });
    if (kind !== 'fixed' && price.trim() === '' && productPrice === null)
      problems.push({ text: 'needsBase', values: { tier } });
    // Both bounds belong to a tier.
    tiers.slice(0, index).forEach((other, at) => {
      if (!isAmount(other.from) || !isAmount(other.to)) return;
      if (Number(from) <= Number(other.to) && Number(other.from) <= Number(to))
        problems.push({ text: 'overlap', values: { first: at + 1, second: tier } });
    });
    return undefined;
  });
  return problems;
}

/** A row of a table that was pasted, with the number of its line from 1. */
export interface PastedRow {
  readonly line: number;
  readonly sku: string;
  readonly price: string;
  readonly from: string;
  readonly to: string;
  readonly vendorSku: string;
}

const NAMES: Readonly<Record<string, keyof PastedRow>> = {
  ...{ sku: 'sku', 'מק״ט': 'sku', 'מק"ט': 'sku', מקט: 'sku' },
  ...{ price: 'price', מחיר: 'price', from: 'from', מכמות: 'from', to: 'to', 'עד כמות': 'to' },
  ...{ 'vendor sku': 'vendorSku', vendorsku: 'vendorSku', 'מק״ט ספק': 'vendorSku', 'מק"ט ספק': 'vendorSku' },
};
const ORDER = ['sku', 'price', 'from', 'to', 'vendorSku'] as const;

/** Reads cells that a spreadsheet has copied: SKU, price, from, to, the vendor's SKU; or as the first row names them. */
export function readPasted(text: string): PastedRow[] {
  const lines = text.split(/\r?\n/).map((line, index) => ({ line: index + 1, cells: cellsOf(line) }));
  const full = lines.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const named = full[0]?.cells.map((cell) => NAMES[cell.toLowerCase()]) ?? [];
  const hasHeader = named.includes('sku') && named.includes('price');
  const order = hasHeader ? named : ORDER;
  return (hasHeader ? full.slice(1) : full).map(({ line, cells }) => {
    const at = (name: keyof PastedRow) => cells[order.indexOf(name as never)] ?? '';
    const amount = (name: keyof PastedRow) => amountOf(at(name));
    return {
      ...{ line, sku: at('sku'), vendorSku: at('vendorSku') },
      ...{ price: amount('price'), from: amount('from'), to: amount('to') },
    };
  });
}

const cellsOf = (line: string): string[] =>
  (line.includes('\t') ? line.split('\t') : splitOutsideQuotes(line)).map((cell) =>
    cell
      .replace(/[\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g, '')
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"'),
  );

/** Splits at semicolons and commas. A quote opens only at the beginning of a cell, so that `12" pipe` stays text. */
function splitOutsideQuotes(line: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (const char of line) {
    if (char === '"' && (cell === '' || cell.startsWith('"'))) quoted = !quoted;
    const ends = !quoted && (char === ';' || char === ',');
    if (ends) cells.push(cell);
    cell = ends ? '' : cell + char;
  }
  return [...cells, cell];
}

/** Without the sign of the currency and the separators of thousands. Other commas stay, and are reported. */
function amountOf(cell: string): string {
  const bare = cell.replace(/[₪$€£\s\u00A0]/g, '');
  return numberOf(bare) === null ? bare : bare.replaceAll(',', '');
}

interface Product {
  readonly id: number;
  readonly name: string;
  readonly sku: string;
  readonly buyingPrice: number | null;
}

/**
 * Makes entries of pasted rows. Rows of one product with quantities become its tiers, and one without is its price
 * beside them.
 */
export function entriesOf(rows: readonly PastedRow[], products: ReadonlyMap<string, Product>) {
  const entries = new Map<number, EntryDraft>();
  const unknown: PastedRow[] = [];
  for (const row of rows) {
    const product = products.get(row.sku.toLowerCase());
    if (!product) {
      unknown.push(row);
      continue;
    }
    const known = entries.get(product.id) ?? newEntry(product);
    const vendorSku = row.vendorSku || known.vendorSku;
    const isTier = row.from !== '' || row.to !== '';
    const mode = isTier || known.tiers.length > 0 ? 'tiers' : row.price === '' ? 'default' : 'fixed';
    const priced = isTier ? { tiers: [...known.tiers, tierOf(row)] } : { price: row.price };
    entries.set(product.id, { ...known, vendorSku, mode, ...priced });
  }
  return { entries: [...entries.values()], unknown };
}

/**
 * Puts pasted entries over those of the grid. A vendor's SKU that was not pasted stays.
 *
 * @param keepsOthers whether entries of other products stay
 */
export function mergedEntries(
  grid: readonly EntryDraft[],
  pasted: readonly EntryDraft[],
  keepsOthers: boolean,
): readonly EntryDraft[] {
  const former = new Map(grid.map((entry) => [entry.productId, entry]));
  const put = new Map(
    pasted.map((entry) => {
      const vendorSku = entry.vendorSku || (former.get(entry.productId)?.vendorSku ?? '');
      return [entry.productId, { ...entry, vendorSku }];
    }),
  );
  if (!keepsOthers) return [...put.values()];
  const kept = grid.map((entry) => put.get(entry.productId) ?? entry);
  return [...kept, ...[...put.values()].filter(({ productId }) => !former.has(productId))];
}

const tierOf = ({ from, to, price }: PastedRow): TierDraft => ({ from, to, kind: 'fixed', value: price });

export function newEntry({ id, name, sku, buyingPrice }: Product): EntryDraft {
  return {
    ...{ productId: id, productName: name, productSku: sku, productPrice: buyingPrice },
    ...{ vendorSku: '', mode: 'fixed', price: '', tiers: [], step: '', stepPrice: '' },
  };
}
