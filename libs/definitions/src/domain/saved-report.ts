import { validationFailed } from '@counterfoil/kernel';

/** Whatever a JSON text may hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export interface SavedReportDetails {
  readonly name: string;
  readonly filters: JsonObject;
}

/** A report on documents that a company asks for again and again: what it asks for is kept, and never read. */
export interface SavedReport extends SavedReportDetails {
  readonly id: number;
  readonly createdAt: Date;
}

/** As it is read: nobody here looks into the filters, and parsing those of a company would take seconds. */
export interface SavedReportRow extends Omit<SavedReport, 'filters'> {
  /** JSON, as it was kept. */
  readonly filtersJson: string;
}

/** Of the filters as JSON, in UTF-8. */
export const FILTERS_BYTES_MAX = 16 * 1024;
/** The filters themselves are the first level. */
export const FILTERS_DEPTH_MAX = 8;

/**
 * Lets through what is kept as it was sent, and is not too much of it.
 *
 * @throws AppError `VALIDATION_FAILED` on `filters`
 */
export function checkFilters(filters: JsonObject): void {
  const problem = problemIn(filters, 1) ?? problemOfSize(filters);
  if (problem !== null) throw validationFailed([{ field: 'filters', problem }]);
}

function problemIn(value: Json, level: number): string | null {
  if (typeof value === 'number') return problemOfNumber(value);
  if (typeof value !== 'object' || value === null) return null;
  if (level > FILTERS_DEPTH_MAX) return `must be nested at most ${FILTERS_DEPTH_MAX} levels deep`;
  for (const inside of Object.values<Json>(value)) {
    const problem = problemIn(inside, level + 1);
    if (problem !== null) return problem;
  }
  return null;
}

/** `1e999` was read as infinity, which JSON has no word for; `9007199254740993` as the number before it. */
function problemOfNumber(number: number): string | null {
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER
    ? null
    : `must hold numbers up to ${Number.MAX_SAFE_INTEGER} only; send longer ones as text`;
}

function problemOfSize(filters: JsonObject): string | null {
  return Buffer.byteLength(JSON.stringify(filters)) <= FILTERS_BYTES_MAX
    ? null
    : `must be at most ${FILTERS_BYTES_MAX} bytes as JSON`;
}
