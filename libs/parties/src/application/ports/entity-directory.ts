import type { EntityDetails } from '../../domain/entity';

/** Who an entity is, and the terms that documents to it follow; a term that is null is the company's. */
export type EntityEntry = Pick<
  EntityDetails,
  | 'name'
  | 'taxId'
  | 'type'
  | 'specialVat'
  | 'creditLimit'
  | 'roundDocumentTotal'
  | 'paymentTermType'
  | 'paymentTermDays'
> & {
  readonly id: number;
  readonly visibleId: string;
};

/** Where other contexts ask who an entity is. */
export abstract class EntityDirectory {
  /** Null when this company has no such entity. An entity is never removed, so that it stays known. */
  abstract find(companyId: number, entityId: number): Promise<EntityEntry | null>;
}
