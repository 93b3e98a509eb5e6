import type { FileEntry } from '@counterfoil/files';
import type { PaymentTermType } from '@counterfoil/kernel';
import type { Page, PageRequest, Sort } from '@counterfoil/pagination';
import type { Address, Contact } from '../../domain/contact';
import type { EntityDetails, EntityRole, EntityType } from '../../domain/entity';

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

export interface EntityFilter {
  /** Text anywhere in name, tax id or e-mail, case aside. Blank: everything. */
  readonly search?: string | undefined;
  readonly type?: EntityType | undefined;
  /** The whole value, case aside. */
  readonly email?: string | undefined;
  /** The whole value, case aside. */
  readonly taxId?: string | undefined;
  readonly hasContacts?: boolean | undefined;
}

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
