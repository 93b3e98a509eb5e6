import { type FieldProblem, validationFailed } from '@counterfoil/kernel';

/** The writable fields of a product. */
export interface ProductDetails {
  readonly name: string;
  /** Not unique. */
  readonly sku: string;
  readonly manufacturerSku: string | null;
  readonly unit: string | null;
  /** Price of one unit, with up to 4 decimals. */
  readonly buyingPrice: number | null;
  readonly sellingPrice: number | null;
  readonly isActive: boolean;
}

export interface Product extends ProductDetails {
  readonly id: number;
  readonly visibleId: string;
  readonly companyId: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The serial number of one piece of a product. */
export interface ProductSerial {
  readonly id: number;
  readonly productId: number;
  readonly serialNumber: string;
  readonly createdAt: Date;
}

/** In characters. */
export const SERIAL_LENGTH_MAX = 100;
export const SERIALS_MAX = 5_000;

/** @throws AppError `VALIDATION_FAILED` with each serial number that is blank or repeats an earlier one */
export function assertSerials(serials: readonly string[]): void {
  const problems: FieldProblem[] = [];
  const places = new Map<string, number>();
  for (const [place, serial] of serials.entries()) {
    const before = places.get(serial);
    const field = `serials[${place}]`;
    if (serial.trim() === '') problems.push({ field, problem: 'must not be empty' });
    else if (before !== undefined) problems.push({ field, problem: `repeats serials[${before}]` });
    else places.set(serial, place);
  }
  if (problems.length > 0) throw validationFailed(problems.slice(0, PROBLEMS_MAX));
}

/** Problems named in one response. */
const PROBLEMS_MAX = 100;
