import {
  type DocumentLanguage,
  type PaymentTermType,
  type PlainDate,
  validationFailed,
} from '@counterfoil/kernel';

export const TAX_ID_MAX = 20;
export const EMAIL_MAX = 254;

export const PARTY_TYPES = ['MURSHE', 'COMPANY', 'PATOOR'] as const;
/** Licensed dealer, company, exempt dealer. */
export type PartyType = (typeof PARTY_TYPES)[number];

/** A party can have both roles, and never loses one. */
export type PartyRole = 'vendor' | 'client';

export const PARTY_ROUNDINGS = ['use_default', 'round', 'none'] as const;
/** Whether totals of the party's documents are rounded. `use_default` means the company's setting. */
export type PartyRounding = (typeof PARTY_ROUNDINGS)[number];

export const WITHHOLDING_BASES = ['with_vat', 'without_vat'] as const;
/** The amount from which tax is withheld: gross or net. */
export type WithholdingBase = (typeof WITHHOLDING_BASES)[number];

/** The writable fields of a party (contract §5.2). Null: no value is stored. */
export interface PartyDetails {
  readonly name: string;
  /** Company or dealer tax id. Not unique. */
  readonly taxId: string;
  readonly type: PartyType;
  readonly email: string | null;
  readonly phoneNumber: string | null;
  readonly addressId: number | null;
  readonly logoFileId: number | null;
  /** Null: the company's default. */
  readonly paymentTermType: PaymentTermType | null;
  /** Days of the payment term. Null: the company's default. */
  readonly paymentTermDays: number | null;
  /** The party's key in external bookkeeping. */
  readonly ledgerEntityAccountKey: string | null;
  /** Percent. Null: the company's rate. */
  readonly specialVat: number | null;
  readonly creditLimit: number | null;
  readonly roundDocumentTotal: PartyRounding;
  /** The language of printed documents to it. Null: that of the company. */
  readonly documentLanguage: DocumentLanguage | null;
  readonly bankNumber: string | null;
  readonly branchNumber: string | null;
  readonly accountNumber: string | null;
  /** The company's customer number in the vendor's system. */
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
  /** Whether it is reminded of what it owes, as a client, if its company has reminders sent. */
  readonly reminders: boolean;
}

export interface Rights {
  /** Without this right a bookkeeping key is ignored without an error (contract §4.3). */
  readonly mapAccounting: boolean;
}

export type RequiredDetails = Pick<PartyDetails, 'name' | 'taxId' | 'type'>;

/** Fields as the caller sent them: missing or undefined when left out, and an empty text means no value. */
export type SentDetails = {
  readonly [Field in keyof PartyDetails]?: PartyDetails[Field] | '' | undefined;
};

const NOTHING_STORED: Omit<PartyDetails, keyof RequiredDetails> = {
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
  documentLanguage: null,
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
  reminders: true,
};

/**
 * @throws AppError `VALIDATION_FAILED` when the withholding certificate ends before it begins
 */
export function createDetails(sent: SentDetails & RequiredDetails, rights: Rights): PartyDetails {
  const { name, taxId, type } = sent;
  const details = { name, taxId, type, ...NOTHING_STORED, ...normalizeDetails(sent, rights) };
  assertCertificatePeriod(details);
  return details;
}

/**
 * Returns the stored fields that an edit changes. Fields that were left out stay as they are.
 *
 * @throws AppError `VALIDATION_FAILED` when the withholding certificate would end before it begins
 */
export function selectChanges(
  stored: PartyDetails,
  sent: SentDetails,
  rights: Rights,
): Partial<PartyDetails> {
  const changes = normalizeDetails(sent, rights);
  assertCertificatePeriod({ ...stored, ...changes });
  return changes;
}

/** Maps sent fields to stored ones: an empty text becomes null (contract §5.4). */
function normalizeDetails(sent: SentDetails, { mapAccounting }: Rights): Partial<PartyDetails> {
  const { ledgerEntityAccountKey: key, ...others } = sent;
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  const written = Object.fromEntries(given.map(([field, value]) => [field, value === '' ? null : value]));
  return {
    // Payment days are meaningless without the type, so clearing the type clears both.
    ...(sent.paymentTermType === null ? { paymentTermDays: null } : {}),
    ...written,
    // Unlike other texts, an empty bookkeeping key changes nothing instead of clearing the field.
    ...(key && mapAccounting ? { ledgerEntityAccountKey: key } : {}),
  };
}

function assertCertificatePeriod({
  withholdingValidFrom: from,
  withholdingValidUntil: until,
}: PartyDetails): void {
  if (from === null || until === null || from <= until) return;
  throw validationFailed([
    { field: 'withholdingValidUntil', problem: 'must not be before withholdingValidFrom' },
  ]);
}
