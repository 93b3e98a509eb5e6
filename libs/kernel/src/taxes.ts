import { type FieldProblem, validationFailed } from './app-error';

/** The amounts of a cost, as money. The total includes the tax. */
export interface Taxed {
  readonly total: number;
  readonly tax: number;
  /** The part of the tax that is reclaimed. */
  readonly deductableTax: number;
}

/**
 * @throws AppError `VALIDATION_FAILED` when the tax exceeds the total, or the deductible tax exceeds the tax
 * (contract §11.1)
 */
export function assertTaxes({ total, tax, deductableTax }: Taxed): void {
  const problems: FieldProblem[] = [];
  if (tax > total) problems.push({ field: 'tax', problem: 'must be at most the total' });
  if (deductableTax > tax) problems.push({ field: 'deductableTax', problem: 'must be at most the tax' });
  if (problems.length > 0) throw validationFailed(problems);
}
