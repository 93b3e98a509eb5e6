/** More documents of a company are not counted. */
export const DOCUMENTS_COUNTED_MAX = 1_000;

/** Counts issued documents of several companies, for operators. */
export abstract class DocumentCounts {
  /** The documents of each company, at most `DOCUMENTS_COUNTED_MAX`. */
  abstract of(companyIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
}
