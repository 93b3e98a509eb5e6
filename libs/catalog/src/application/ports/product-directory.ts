/** Where other contexts ask for products. */
export abstract class ProductDirectory {
  /**
   * Those of the numeric ids under which this company has no product. A product is never removed, so the answer stays
   * true of those that it has.
   */
  abstract unknownOf(companyId: number, productIds: readonly number[]): Promise<ReadonlySet<number>>;
}
