import type { Transaction } from '@counterfoil/kernel';
import type { EntityDetails } from '../../domain/entity';

export interface NewEntity extends EntityDetails {
  readonly visibleId: string;
  readonly companyId: number;
  readonly isClient: boolean;
  readonly isVendor: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface EntityIds {
  readonly id: number;
  readonly visibleId: string;
}

/** Writes the entities that are a company's clients and vendors. */
export abstract class EntityRepository {
  /** @returns the entity's numeric id */
  abstract insert(tx: Transaction, entity: NewEntity): Promise<number>;
  /** Makes an existing entity a client as well; no change when it is one. Null when the company has no such entity. */
  abstract markAsClient(
    tx: Transaction,
    companyId: number,
    entityId: number,
    at: Date,
  ): Promise<EntityIds | null>;
}
