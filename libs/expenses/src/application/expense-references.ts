import { FileDirectory } from '@counterfoil/files';
import { unknownReference } from '@counterfoil/kernel';
import { VendorDirectory } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import type { ExpenseDetails } from '../domain/expense';

/** The name that a body calls the vendor by. */
export type VendorField = 'vendorId' | 'entityId';

/**
 * Whether what a body refers to is this company's. No lock is needed: vendors are never removed, and a file that is
 * deleted meanwhile is refused when the expense is written.
 */
@Injectable()
export class ExpenseReferences {
  constructor(
    private readonly vendors: VendorDirectory,
    private readonly files: FileDirectory,
  ) {}

  /**
   * @param vendorField what the body calls the vendor
   * @throws AppError `UNKNOWN_REFERENCE`
   */
  async assertKnown(
    companyId: number,
    { entityId, fileId }: Partial<Pick<ExpenseDetails, 'entityId' | 'fileId'>>,
    vendorField: VendorField = 'vendorId',
  ): Promise<void> {
    const [vendor, file] = await Promise.all([
      entityId === undefined || this.vendors.find(companyId, { id: entityId }),
      fileId === undefined || this.files.find(companyId, fileId),
    ]);
    if (vendor === null) throw unknownReference(vendorField, 'vendor');
    if (file === null) throw unknownReference('fileId', 'file');
  }
}
