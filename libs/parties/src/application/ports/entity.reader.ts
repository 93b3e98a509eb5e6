import type { FileEntry } from '@counterfoil/files';
import type { PaymentTermType } from '@counterfoil/kernel';
import type { FilterFields, FilterOf, Page, PageRequest, Sort } from '@counterfoil/pagination';
import type { Address, Contact } from '../../domain/contact';
import {
  EMAIL_MAX,
  ENTITY_TYPES,
  TAX_ID_MAX,
  type EntityDetails,
  type EntityRole,
} from '../../domain/entity';

/** What falls back to the company's default reads as the value in force (decisions §5). */
interface InForce {
  readonly paymentTermType: PaymentTermType;
  readonly paymentTermDays: number;
  readonly withholdingTaxRate: number;
}

/** The picture of an entity. */
export type LogoFile = Pick<FileEntry, 'id' | 'fileName' | 'mimeType' | 'sha256'>;

interface Shown {
  readonly id: number;
  readonly visibleId: string;
  readonly companyId: number;
  readonly address: Address | null;
  readonly logoFile: LogoFile | null;
  /** Oldest first; null when there are none. */
  readonly contacts: readonly Contact[] | null;
}

/** What lists show of an entity. */
export type EntityRow = Shown &
  InForce &
  Pick<EntityDetails, 'name' | 'taxId' | 'type' | 'email' | 'phoneNumber' | 'vendorInternalCode'>;

/** Everything of an entity. */
export type EntityRecord = Shown & InForce & Omit<EntityDetails, keyof InForce | 'addressId'>;

export const ENTITY_FILTERS = {
  search: { kind: 'search', description: 'Free text across name, tax id and e-mail.' },
  type: { kind: 'choice', choices: ENTITY_TYPES },
  email: { kind: 'text', max: EMAIL_MAX, description: 'The whole e-mail address, case aside.' },
  taxId: { kind: 'text', max: TAX_ID_MAX, description: 'The whole tax id, case aside.' },
  hasContacts: { kind: 'flag', description: 'Only those that have, or have no, contacts.' },
} as const satisfies FilterFields;
export type EntityFilter = FilterOf<typeof ENTITY_FILTERS>;

/** The first is the default. Texts are compared by code points, case aside; who has no e-mail is the last. */
export const ENTITY_SORTS = ['id', 'name', 'email', 'taxId', 'type'] as const;
export type EntitySort = Sort<(typeof ENTITY_SORTS)[number]>;

/** A list of entities that is asked for. */
export interface EntityList {
  readonly role: EntityRole;
  readonly filter: EntityFilter;
  readonly sort: EntitySort;
}

/** Reads a company's vendors and clients. */
export abstract class EntityReader {
  /** One page. Its rows and its total are of one moment. */
  abstract list(companyId: number, list: EntityList, page: PageRequest): Promise<Page<EntityRow>>;

  /**
   * Null when the company has none of this id in this role.
   *
   * @param visibleId in lower case, known to be a UUID
   */
  abstract find(companyId: number, role: EntityRole, visibleId: string): Promise<EntityRecord | null>;
}
