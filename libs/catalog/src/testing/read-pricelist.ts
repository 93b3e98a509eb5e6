import { type PricelistEntry, PricelistReading } from '../domain/pricelist';

/** Validates a whole pricelist in one slice. */
export function readPricelist(sent: readonly unknown[]): PricelistEntry[] {
  const reading = new PricelistReading();
  reading.read(sent);
  return reading.finish();
}
