import type { FileLinks } from '@counterfoil/files';
import { DOCUMENT_LANGUAGES, type DocumentLanguage } from '@counterfoil/kernel';
import {
  type PartyIds,
  type PartyRecord,
  type PartyRow,
  PARTY_ROUNDINGS,
  type PartyRounding,
  WITHHOLDING_BASES,
  type WithholdingBase,
} from '@counterfoil/parties';
import {
  ChoiceProperty,
  DateProperty,
  IntegerProperty,
  NumberProperty,
  SuccessBody,
  TextProperty,
  UuidProperty,
} from '../http/answers';
import { ChoiceField, IdField, PercentField, PlainDateField, TextField } from '../http/fields';
import {
  CreatePartyBody,
  EditPartyBody,
  PartyRowBody,
  InternalCodeField,
  presentLogoFile,
} from '../parties/parties.schemas';

const NUMBER_MAX = 50;
const BASE_NOTE = 'Computed on the gross, or on the net. On the gross if there is none.';

/** A new vendor (contract §5.3). */
export class CreateVendorBody extends CreatePartyBody {
  @TextField({ presence: 'optional', max: NUMBER_MAX })
  readonly taxDeductionsFileNumber?: string | null;
  @PercentField({ presence: 'optional', description: "Left out or null: the company's default." })
  readonly withholdingTaxRate?: number | null;
  @TextField({ presence: 'optional', max: NUMBER_MAX })
  readonly withholdingCertificateNumber?: string | null;
  @PlainDateField({ presence: 'optional' }) readonly withholdingValidFrom?: string | null;
  @PlainDateField({ presence: 'optional', description: 'Not before withholdingValidFrom.' })
  readonly withholdingValidUntil?: string | null;
  @ChoiceField({ presence: 'optional', choices: WITHHOLDING_BASES, description: BASE_NOTE })
  readonly withholdingBase?: WithholdingBase | null;
  @IdField({ presence: 'optional', description: 'An uploaded scan of the certificate.' })
  readonly withholdingFileId?: number | null;
}

/** An edit of a vendor (contract §5.4). A field left out stays. */
export class EditVendorBody extends EditPartyBody {
  @TextField({ presence: 'edit', max: NUMBER_MAX, mayBeEmpty: true }) readonly bankNumber?: string;
  @TextField({ presence: 'edit', max: NUMBER_MAX, mayBeEmpty: true }) readonly branchNumber?: string;
  @TextField({ presence: 'edit', max: NUMBER_MAX, mayBeEmpty: true }) readonly accountNumber?: string;
  @TextField({
    presence: 'edit',
    max: NUMBER_MAX,
    mayBeEmpty: true,
    description: "The company's number as a customer, in the vendor's system.",
  })
  readonly accountingCustomerNumber?: string;
  @InternalCodeField() readonly vendorInternalCode?: number | '' | null;
  @TextField({ presence: 'edit', max: NUMBER_MAX, mayBeEmpty: true })
  readonly taxDeductionsFileNumber?: string;
  @PercentField({ presence: 'clearable', description: "null falls back to the company's default." })
  readonly withholdingTaxRate?: number | null;
  @TextField({ presence: 'edit', max: NUMBER_MAX, mayBeEmpty: true })
  readonly withholdingCertificateNumber?: string;
  @PlainDateField({ presence: 'edit' }) readonly withholdingValidFrom?: string;
  @PlainDateField({ presence: 'edit', description: 'Not before withholdingValidFrom.' })
  readonly withholdingValidUntil?: string;
  @ChoiceField({ presence: 'edit', choices: WITHHOLDING_BASES, description: BASE_NOTE })
  readonly withholdingBase?: WithholdingBase;
  @IdField({ presence: 'edit', description: 'An uploaded scan of the certificate.' })
  readonly withholdingFileId?: number;
}

export class CreatedVendorBody extends SuccessBody {
  @IntegerProperty({ description: 'The numeric entity id.' }) readonly vendorId!: number;
  @UuidProperty({ description: 'The id in the paths of the vendor.' }) readonly visibleId!: string;
}

/** A vendor in a list (contract §5.2). */
export class VendorRowBody extends PartyRowBody {
  @IntegerProperty({ nullable: true }) readonly vendorInternalCode!: number | null;
  @NumberProperty({ description: "Percent in force: its own, else the company's default." })
  readonly withholdingTaxRate!: number;
}

/** Everything of a vendor (contract §5.2). */
export class VendorBody extends VendorRowBody {
  @TextProperty({ nullable: true }) readonly bankNumber!: string | null;
  @TextProperty({ nullable: true }) readonly branchNumber!: string | null;
  @TextProperty({ nullable: true }) readonly accountNumber!: string | null;
  @TextProperty({ nullable: true, maxLength: 8 }) readonly ledgerEntityAccountKey!: string | null;
  @TextProperty({ nullable: true }) readonly accountingCustomerNumber!: string | null;
  @NumberProperty({ nullable: true, description: "Percent. null: the company's rate." })
  readonly specialVat!: number | null;
  @NumberProperty({ nullable: true }) readonly creditLimit!: number | null;
  @ChoiceProperty(PARTY_ROUNDINGS) readonly roundDocumentTotal!: PartyRounding;
  @ChoiceProperty(DOCUMENT_LANGUAGES, { nullable: true, description: "null: the company's." })
  readonly documentLanguage!: DocumentLanguage | null;
  @TextProperty({ nullable: true }) readonly taxDeductionsFileNumber!: string | null;
  @TextProperty({ nullable: true }) readonly withholdingCertificateNumber!: string | null;
  @DateProperty({ nullable: true }) readonly withholdingValidFrom!: string | null;
  @DateProperty({ nullable: true }) readonly withholdingValidUntil!: string | null;
  @ChoiceProperty(WITHHOLDING_BASES, { nullable: true, description: BASE_NOTE })
  readonly withholdingBase!: WithholdingBase | null;
  @IntegerProperty({ nullable: true }) readonly withholdingFileId!: number | null;
}

export function presentCreatedVendor({ id, visibleId }: PartyIds): CreatedVendorBody {
  return { success: true, vendorId: id, visibleId };
}

/** Lists the fields one by one, because merging objects takes 200 times as long: 3 ms for a page of 200 rows. */
export function presentVendorRow(party: PartyRow, links: FileLinks): VendorRowBody {
  return {
    id: party.id,
    visibleId: party.visibleId,
    name: party.name,
    taxId: party.taxId,
    type: party.type,
    email: party.email,
    phoneNumber: party.phoneNumber,
    paymentTermType: party.paymentTermType,
    paymentTermDays: party.paymentTermDays,
    vendorInternalCode: party.vendorInternalCode,
    withholdingTaxRate: party.withholdingTaxRate,
    companyId: party.companyId,
    address: party.address,
    logoFile: presentLogoFile(party.logoFile, links),
    contacts: party.contacts ?? [],
  };
}

export function presentVendor(party: PartyRecord, links: FileLinks): VendorBody {
  return {
    ...presentVendorRow(party, links),
    bankNumber: party.bankNumber,
    branchNumber: party.branchNumber,
    accountNumber: party.accountNumber,
    ledgerEntityAccountKey: party.ledgerEntityAccountKey,
    accountingCustomerNumber: party.accountingCustomerNumber,
    specialVat: party.specialVat,
    creditLimit: party.creditLimit,
    roundDocumentTotal: party.roundDocumentTotal,
    documentLanguage: party.documentLanguage,
    taxDeductionsFileNumber: party.taxDeductionsFileNumber,
    withholdingCertificateNumber: party.withholdingCertificateNumber,
    withholdingValidFrom: party.withholdingValidFrom,
    withholdingValidUntil: party.withholdingValidUntil,
    withholdingBase: party.withholdingBase,
    withholdingFileId: party.withholdingFileId,
  };
}
