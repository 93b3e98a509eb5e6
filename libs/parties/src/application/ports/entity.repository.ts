import type { Transaction } from '@counterfoil/kernel';
import type { EntityDetails, EntityRole } from '../../domain/entity';

export interface NewEntity extends EntityDetails {
  readonly visibleId: string;
  readonly companyId: number;
  readonly isClient: boolean;
  readonly isVendor: boolean;
  readonly hasContacts: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface EntityIds {
  readonly id: number;
  readonly visibleId: string;
}

export interface StoredEntity extends EntityIds, EntityDetails {}

/** Writes the entities that are a company's clients and vendors. */
export abstract class EntityRepository {
  /** @returns the entity's numeric id */
  abstract insert(tx: Transaction, entity: NewEntity): Promise<number>;

  /** Makes a contact one of a new entity's, whose `hasContacts` already says so. */
  abstract attachContact(tx: Transaction, entityId: number, contactId: number): Promise<void>;

  /**
   * Gives an existing entity a role besides what it is; no change when it has it. Null when the company has no such
   * entity.
   */
  abstract giveRole(
    tx: Transaction,
    entity: { readonly companyId: number; readonly id: number; readonly role: EntityRole },
    at: Date,
  ): Promise<EntityIds | null>;

  /**
   * Reads an entity and locks it until the end of the transaction, so that a rule over several fields holds whoever
   * else edits. Null when the company has none of this id in this role.
   */
  abstract lock(
    tx: Transaction,
    companyId: number,
    entity: { readonly visibleId: string; readonly role: EntityRole },
  ): Promise<StoredEntity | null>;

  /** Writes the fields that are given, of an entity that is locked. */
  abstract update(
    tx: Transaction,
    id: number,
    changes: Partial<EntityDetails> & { readonly updatedAt: Date },
  ): Promise<void>;
}
