import type { EntityType } from '../../domain/entity';

export interface EntityEntry {
  readonly id: number;
  readonly visibleId: string;
  readonly name: string;
  readonly taxId: string;
  readonly type: EntityType;
}

/** Where other contexts ask who an entity is. */
export abstract class EntityDirectory {
  /** Null when this company has no such entity. An entity is never removed, so the answer stays true. */
  abstract find(companyId: number, entityId: number): Promise<EntityEntry | null>;
}
