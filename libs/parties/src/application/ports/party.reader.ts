import type { FileEntry } from '@counterfoil/files';
import type { PaymentTermType } from '@counterfoil/kernel';
import type { FilterFields, FilterOf, Page, PageRequest, Sort } from '@counterfoil/pagination';
import type { Address, Contact } from '../../domain/contact';
import { EMAIL_MAX, PARTY_TYPES, TAX_ID_MAX, type PartyDetails, type PartyRole } from '../../domain/party';

/** Fields that fall back to the company's default. They read as the effective value (contract §5.2). */
interface EffectiveTerms {
  readonly paymentTermType: PaymentTermType;
  readonly paymentTermDays: number;
  readonly withholdingTaxRate: number;
}

export type LogoFile = Pick<FileEntry, 'id' | 'fileName' | 'mimeType' | 'sha256'>;

interface CommonFields {
  readonly id: number;
  readonly visibleId: string;
  readonly companyId: number;
  readonly address: Address | null;
  readonly logoFile: LogoFile | null;
  /** Oldest first; null when there are none. */
  readonly contacts: readonly Contact[] | null;
}

/** A party in a list. */
export type PartyRow = CommonFields &
  EffectiveTerms &
  Pick<PartyDetails, 'name' | 'taxId' | 'type' | 'email' | 'phoneNumber' | 'vendorInternalCode'>;

/** A party with all its fields. */
export type PartyRecord = CommonFields &
  EffectiveTerms &
  Omit<PartyDetails, keyof EffectiveTerms | 'addressId'>;

export const PARTY_FILTERS = {
  id: { kind: 'id', description: 'The numeric id.' },
  search: { kind: 'search', description: 'Free text across name, tax id and e-mail.' },
  type: { kind: 'choice', choices: PARTY_TYPES },
  email: { kind: 'text', max: EMAIL_MAX, description: 'The exact e-mail address, case-insensitive.' },
  taxId: { kind: 'text', max: TAX_ID_MAX, description: 'The exact tax id, case-insensitive.' },
  hasContacts: { kind: 'flag', description: 'True: only those with contacts. False: only those without.' },
} as const satisfies FilterFields;
export type PartyFilter = FilterOf<typeof PARTY_FILTERS>;

/**
 * The first is the default. Texts are compared by code points in lower case; parties without an e-mail
 * address come last in ascending order.
 */
export const PARTY_SORTS = ['id', 'name', 'email', 'taxId', 'type'] as const;
export type PartySort = Sort<(typeof PARTY_SORTS)[number]>;

export interface PartyList {
  readonly role: PartyRole;
  readonly filter: PartyFilter;
  readonly sort: PartySort;
}

/** Reads a company's vendors and clients. */
export abstract class PartyReader {
  /** Rows and total come from the same moment. */
  abstract list(companyId: number, list: PartyList, page: PageRequest): Promise<Page<PartyRow>>;

  /**
   * Null when the company has no party of this id in this role.
   *
   * @param visibleId a UUID in lower case
   */
  abstract find(companyId: number, role: PartyRole, visibleId: string): Promise<PartyRecord | null>;
}
