/** The numeric id, or the public one: a UUID in lower case. */
export type VendorKey = { readonly id: number } | { readonly visibleId: string };

export interface VendorEntry {
  readonly id: number;
  readonly visibleId: string;
  readonly name: string;
}

/** Looks vendors up for other contexts. */
export abstract class VendorDirectory {
  /** Null when this company has no such vendor. A vendor keeps its role, so a result stays valid. */
  abstract find(companyId: number, key: VendorKey): Promise<VendorEntry | null>;

  /**
   * Compares letters and digits of the tax id only, case-insensitively. Null when no vendor has it, or more
   * than one.
   */
  abstract findByTaxId(companyId: number, taxId: string): Promise<VendorEntry | null>;

  /**
   * Compares letters and digits of the name only, case-insensitively and without the legal form at its end.
   * Null when no vendor has it, or more than one.
   */
  abstract findByName(companyId: number, name: string): Promise<VendorEntry | null>;
}
