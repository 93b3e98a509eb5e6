import type { Extraction } from '@counterfoil/sdk';

/** The fields that are read from a receipt. */
export type ReadField = keyof Extraction['expenseData'];

/** Where on a page a value was found, in shares of the page. */
export interface Place {
  readonly field: ReadField;
  /** From 1. */
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function placesOf(reading: Pick<Extraction, 'places'> | undefined): readonly Place[] {
  return Object.entries(reading?.places ?? {}).flatMap(([field, place]) =>
    place ? [{ ...place, field: field as ReadField }] : [],
  );
}

/** The pages with a place, in order. */
export function pagesOf(places: readonly Place[]): readonly number[] {
  return [...new Set(places.map(({ page }) => page))].sort((a, b) => a - b);
}

/** Values below this are worth a look at the receipt (docs/extraction.md). */
const SURE = 0.95;

export interface Certainty {
  /** Whole, rounded down: 99.6 is not certain. */
  readonly percent: number;
  readonly isSure: boolean;
  /** Undefined if the place is not known. */
  readonly page: number | undefined;
}

/** How far a value may be trusted; null if it was not found. */
export function certaintyOf(
  reading: Pick<Extraction, 'expenseData' | 'confidence' | 'places'>,
  field: ReadField,
): Certainty | null {
  if (reading.expenseData[field] === undefined) return null;
  const confidence = reading.confidence[field] ?? 0;
  const page = (reading.places as Partial<Record<ReadField, Place>> | undefined)?.[field]?.page;
  return { percent: Math.floor(confidence * 100), isSure: confidence >= SURE, page };
}

/** The confidence that the reader gives to an Israeli tax id whose check digit is wrong (contract §12). */
const WRONG_CHECK_DIGIT = 0.3;

export const hasWrongCheckDigit = ({ confidence }: Pick<Extraction, 'confidence'>): boolean =>
  confidence.vendorTaxId === WRONG_CHECK_DIGIT;
