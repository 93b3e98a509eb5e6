import { type PricelistEntry, PricelistReading } from '../domain/pricelist';

/** Reads a whole pricelist at once. */
export function readPricelist(sent: readonly unknown[]): PricelistEntry[] {
  const reading = new PricelistReading();
  reading.read(sent);
  return reading.finish();
}
