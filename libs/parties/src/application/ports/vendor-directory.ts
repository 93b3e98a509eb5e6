/** By the numeric id, or by the public one. */
export type VendorKey = { readonly id: number } | { readonly visibleId: string };

export interface VendorEntry {
  readonly id: number;
  readonly visibleId: string;
  readonly name: string;
}

/** Where other contexts ask for a vendor. */
export abstract class VendorDirectory {
  /**
   * Null when this company has no such entity, or one that is no vendor. A vendor stays one, so the answer stays true.
   *
   * @param key a public id in lower case, known to be a UUID
   */
  abstract find(companyId: number, key: VendorKey): Promise<VendorEntry | null>;

  /**
   * The one vendor of the company with this tax id, whatever the case and whatever stands between its letters and
   * digits. Null when there is none, or more than one.
   */
  abstract findByTaxId(companyId: number, taxId: string): Promise<VendorEntry | null>;
}
