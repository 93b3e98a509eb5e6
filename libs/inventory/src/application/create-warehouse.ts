import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { type Caller, Clock, unknownReference } from '@counterfoil/kernel';
import { AddressBookReader } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import type { WarehouseDetails } from '../domain/warehouse';
import { WarehouseRepository } from './ports/warehouse.repository';

@Injectable()
export class CreateWarehouse {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly warehouses: WarehouseRepository,
    private readonly addressBook: AddressBookReader,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null when the call came without an idempotency key
   * @returns the warehouse's id
   * @throws IdempotencyKeyTaken
   * @throws AppError `UNKNOWN_REFERENCE` when this company has no such address
   */
  async execute(
    { companyId }: Caller,
    details: WarehouseDetails,
    call: IdempotentCall<number> | null = null,
  ): Promise<number> {
    const { addressId } = details;
    if (addressId !== null && !(await this.addressBook.hasAddress(companyId, addressId))) {
      throw unknownReference('addressId', 'address');
    }
    const createdAt = this.clock.now();
    return this.idempotency.run(companyId, call, (tx) =>
      this.warehouses.insert(tx, { ...details, companyId, createdAt }),
    );
  }
}
