import type { FileLinks } from '@counterfoil/files';
import type { EntityRecord, EntityRow } from '@counterfoil/parties';
import { logoFile } from '../parties/entity.presenter';
import type { VendorBody, VendorRowBody } from './vendors.dto';

/** Written out, since it is made of every row of a list, and objects put together of others take several times as long. */
export function vendorRow(entity: EntityRow, links: FileLinks): VendorRowBody {
  return {
    id: entity.id,
    visibleId: entity.visibleId,
    name: entity.name,
    taxId: entity.taxId,
    type: entity.type,
    email: entity.email,
    phoneNumber: entity.phoneNumber,
    paymentTermType: entity.paymentTermType,
    paymentTermDays: entity.paymentTermDays,
    vendorInternalCode: entity.vendorInternalCode,
    withholdingTaxRate: entity.withholdingTaxRate,
    companyId: entity.companyId,
    address: entity.address,
    logoFile: logoFile(entity.logoFile, links),
    contacts: entity.contacts ?? [],
  };
}

export function vendorRecord(entity: EntityRecord, links: FileLinks): VendorBody {
  return {
    ...vendorRow(entity, links),
    bankNumber: entity.bankNumber,
    branchNumber: entity.branchNumber,
    accountNumber: entity.accountNumber,
    ledgerEntityAccountKey: entity.ledgerEntityAccountKey,
    accountingCustomerNumber: entity.accountingCustomerNumber,
    specialVat: entity.specialVat,
    creditLimit: entity.creditLimit,
    roundDocumentTotal: entity.roundDocumentTotal,
    taxDeductionsFileNumber: entity.taxDeductionsFileNumber,
    withholdingCertificateNumber: entity.withholdingCertificateNumber,
    withholdingValidFrom: entity.withholdingValidFrom,
    withholdingValidUntil: entity.withholdingValidUntil,
    withholdingBase: entity.withholdingBase,
    withholdingFileId: entity.withholdingFileId,
  };
}
