import { type FieldProblem, validationFailed } from './app-error';

/** What a cost comes to and the tax in it, as money. */
export interface Taxed {
  readonly total: number;
  readonly tax: number;
  /** What of the tax is reclaimed. */
  readonly deductableTax: number;
}

/** @throws AppError `VALIDATION_FAILED` for more tax than the total, or more of it reclaimed than there is (decisions §6) */
export function assertTaxes({ total, tax, deductableTax }: Taxed): void {
  const problems: FieldProblem[] = [];
  if (tax > total) problems.push({ field: 'tax', problem: 'must be at most the total' });
  if (deductableTax > tax) problems.push({ field: 'deductableTax', problem: 'must be at most the tax' });
  if (problems.length > 0) throw validationFailed(problems);
}
