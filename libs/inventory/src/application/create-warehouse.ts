import { type Caller, Clock, Transactions, unknownReference } from '@counterfoil/kernel';
import { AddressBookReader } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import type { WarehouseDetails } from '../domain/warehouse';
import { WarehouseRepository } from './ports/warehouse.repository';

@Injectable()
export class CreateWarehouse {
  constructor(
    private readonly transactions: Transactions,
    private readonly warehouses: WarehouseRepository,
    private readonly addressBook: AddressBookReader,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the warehouse's id
   * @throws AppError `UNKNOWN_REFERENCE` when this company has no such address
   */
  async execute({ companyId }: Caller, details: WarehouseDetails): Promise<number> {
    const { addressId } = details;
    if (addressId !== null && !(await this.addressBook.hasAddress(companyId, addressId))) {
      throw unknownReference('addressId', 'address');
    }
    const createdAt = this.clock.now();
    return this.transactions.run((tx) => this.warehouses.insert(tx, { ...details, companyId, createdAt }));
  }
}
