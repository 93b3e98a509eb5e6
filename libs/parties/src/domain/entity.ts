import { type PaymentTermType, type PlainDate, validationFailed } from '@counterfoil/kernel';

export const TAX_ID_MAX = 20;
export const EMAIL_MAX = 254;

export const ENTITY_TYPES = ['MURSHE', 'COMPANY', 'PATOOR'] as const;
/** Licensed dealer, company, exempt dealer. */
export type EntityType = (typeof ENTITY_TYPES)[number];

/** What an entity is to its company. It can be both, and stays what it once was. */
export type EntityRole = 'vendor' | 'client';

export const TOTAL_ROUNDINGS = ['use_default', 'round', 'none'] as const;
/** Whether totals of its documents are rounded; as the company has it, when `use_default`. */
export type TotalRounding = (typeof TOTAL_ROUNDINGS)[number];

export const WITHHOLDING_BASES = ['with_vat', 'without_vat'] as const;
/** What withheld tax is a part of: the gross or the net. */
export type WithholdingBase = (typeof WITHHOLDING_BASES)[number];

/** What of an entity can be written (spec: Vendors). Null: nothing is stored. */
export interface EntityDetails {
  readonly name: string;
  /** Company or dealer tax id. Not unique. */
  readonly taxId: string;
  readonly type: EntityType;
  readonly email: string | null;
  readonly phoneNumber: string | null;
  readonly addressId: number | null;
  readonly logoFileId: number | null;
  /** Null: the company's default. */
  readonly paymentTermType: PaymentTermType | null;
  /** Days of the payment term. Null: the company's default. */
  readonly paymentTermDays: number | null;
  /** Its key in external bookkeeping. */
  readonly ledgerEntityAccountKey: string | null;
  /** Percent. Null: the company's rate. */
  readonly specialVat: number | null;
  readonly creditLimit: number | null;
  readonly roundDocumentTotal: TotalRounding;
  readonly bankNumber: string | null;
  readonly branchNumber: string | null;
  readonly accountNumber: string | null;
  /** The company's number as a customer, in the vendor's system. */
  readonly accountingCustomerNumber: string | null;
  readonly vendorInternalCode: number | null;
  readonly taxDeductionsFileNumber: string | null;
  /** Percent. Null: the company's default. */
  readonly withholdingTaxRate: number | null;
  readonly withholdingCertificateNumber: string | null;
  readonly withholdingValidFrom: PlainDate | null;
  readonly withholdingValidUntil: PlainDate | null;
  readonly withholdingBase: WithholdingBase | null;
  readonly withholdingFileId: number | null;
}

/** What the caller's role lets it write. */
export interface Rights {
  /** Without it a bookkeeping key is quietly not saved (decisions §3). */
  readonly mapAccounting: boolean;
}

/** What an entity cannot be without. */
export type RequiredDetails = Pick<EntityDetails, 'name' | 'taxId' | 'type'>;

/** Fields as they were sent: what was left out is missing or undefined, and an empty text stands for nothing. */
export type SentDetails = {
  readonly [Field in keyof EntityDetails]?: EntityDetails[Field] | '' | undefined;
};

const NOTHING_STORED: Omit<EntityDetails, keyof RequiredDetails> = {
  email: null,
  phoneNumber: null,
  addressId: null,
  logoFileId: null,
  paymentTermType: null,
  paymentTermDays: null,
  ledgerEntityAccountKey: null,
  specialVat: null,
  creditLimit: null,
  roundDocumentTotal: 'use_default',
  bankNumber: null,
  branchNumber: null,
  accountNumber: null,
  accountingCustomerNumber: null,
  vendorInternalCode: null,
  taxDeductionsFileNumber: null,
  withholdingTaxRate: null,
  withholdingCertificateNumber: null,
  withholdingValidFrom: null,
  withholdingValidUntil: null,
  withholdingBase: null,
  withholdingFileId: null,
};

/**
 * The details of a new entity.
 *
 * @throws AppError `VALIDATION_FAILED` when the withholding certificate ends before it begins
 */
export function newDetails(sent: SentDetails & RequiredDetails, rights: Rights): EntityDetails {
  const { name, taxId, type } = sent;
  const details = { name, taxId, type, ...NOTHING_STORED, ...writtenOf(sent, rights) };
  assertCertificatePeriod(details);
  return details;
}

/**
 * What an edit changes of what is stored: nothing of what was left out.
 *
 * @throws AppError `VALIDATION_FAILED` when the withholding certificate would end before it begins
 */
export function changesOf(stored: EntityDetails, sent: SentDetails, rights: Rights): Partial<EntityDetails> {
  const changes = writtenOf(sent, rights);
  assertCertificatePeriod({ ...stored, ...changes });
  return changes;
}

/** What is written of what was sent (spec: PUT /vendors/edit). */
function writtenOf(sent: SentDetails, { mapAccounting }: Rights): Partial<EntityDetails> {
  const { ledgerEntityAccountKey: key, ...others } = sent;
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  const written = Object.fromEntries(given.map(([field, value]) => [field, value === '' ? null : value]));
  return {
    // A term is a type with its days: clearing the type clears both.
    ...(sent.paymentTermType === null ? { paymentTermDays: null } : {}),
    ...written,
    // An empty key is the one empty text that changes nothing.
    ...(key && mapAccounting ? { ledgerEntityAccountKey: key } : {}),
  };
}

function assertCertificatePeriod({
  withholdingValidFrom: from,
  withholdingValidUntil: until,
}: EntityDetails): void {
  if (from === null || until === null || from <= until) return;
  throw validationFailed([
    { field: 'withholdingValidUntil', problem: 'must not be before withholdingValidFrom' },
  ]);
}
