import { validationFailed } from '@counterfoil/kernel';

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export interface SavedReportDetails {
  readonly name: string;
  readonly filters: JsonObject;
}

/** A saved report on documents. Its filters are stored as they are, and not interpreted. */
export interface SavedReport extends SavedReportDetails {
  readonly id: number;
  readonly createdAt: Date;
}

/** As it is read: the filters stay text, because parsing all of a company would take seconds. */
export interface SavedReportRow extends Omit<SavedReport, 'filters'> {
  /** JSON, as stored. */
  readonly filtersJson: string;
}

/** Of the filters as JSON, in UTF-8. */
export const FILTERS_BYTES_MAX = 16 * 1024;
/** The filters themselves are the first level. */
export const FILTERS_DEPTH_MAX = 8;

/**
 * Checks the size and depth of filters, which are stored as they are sent.
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
