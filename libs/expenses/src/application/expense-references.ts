import { FileDirectory } from '@counterfoil/files';
import { unknownReference } from '@counterfoil/kernel';
import { VendorDirectory } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import type { ExpenseDetails } from '../domain/expense';

/** The name of the vendor field in the request body. */
export type VendorField = 'vendorId' | 'entityId';

/**
 * Checks that the vendor and the file belong to the company. It needs no lock: vendors are never removed, and
 * a foreign key refuses a file that is deleted meanwhile.
 */
@Injectable()
export class ExpenseReferences {
  constructor(
    private readonly vendors: VendorDirectory,
    private readonly files: FileDirectory,
  ) {}

  /**
   * @param vendorField the name of the vendor field in the request body
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
