import { randomUUID } from 'node:crypto';
import { type Caller, Clock, Transactions, unknownReference } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { EntityDetails } from '../domain/entity';
import { type EntityIds, EntityRepository } from './ports/entity.repository';

/** A new client's details, or the entity (a vendor, so far) that is to be a client too. */
export type CreateClientInput = { readonly entityId: number } | { readonly details: EntityDetails };

@Injectable()
export class CreateClient {
  constructor(
    private readonly transactions: Transactions,
    private readonly entities: EntityRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `UNKNOWN_REFERENCE` when this company has no entity of the given id */
  execute(caller: Caller, input: CreateClientInput): Promise<EntityIds> {
    if ('entityId' in input) return this.markAsClient(caller, input.entityId);
    return this.insert(caller, input.details);
  }

  private async markAsClient(caller: Caller, entityId: number): Promise<EntityIds> {
    const now = this.clock.now();
    const ids = await this.transactions.run((tx) =>
      this.entities.markAsClient(tx, caller.companyId, entityId, now),
    );
    if (!ids) throw unknownReference('entityId', 'vendor or client');
    return ids;
  }

  private async insert(caller: Caller, details: EntityDetails): Promise<EntityIds> {
    const now = this.clock.now();
    const visibleId = randomUUID();
    const { companyId } = caller;
    const entity = {
      ...details,
      visibleId,
      companyId,
      isClient: true,
      isVendor: false,
      createdAt: now,
      updatedAt: now,
    };
    const id = await this.transactions.run((tx) => this.entities.insert(tx, entity));
    return { id, visibleId };
  }
}
