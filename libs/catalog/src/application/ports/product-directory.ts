/** Looks products up for other contexts. */
export abstract class ProductDirectory {
  /**
   * Returns the numeric ids under which this company has no product. Products are never removed, so the other
   * ids stay valid.
   */
  abstract findUnknownIds(companyId: number, productIds: readonly number[]): Promise<ReadonlySet<number>>;
}
