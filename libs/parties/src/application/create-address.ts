import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { type Caller, Clock, type PostalAddress } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { AddressBookRepository } from './ports/address-book.repository';

@Injectable()
export class CreateAddress {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly addressBook: AddressBookRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null when the call came without an idempotency key
   * @returns the address's id
   * @throws IdempotencyKeyTaken
   */
  execute(
    { companyId }: Caller,
    details: PostalAddress,
    call: IdempotentCall<number> | null = null,
  ): Promise<number> {
    const address = { ...details, companyId, createdAt: this.clock.now() };
    return this.idempotency.run(companyId, call, (tx) => this.addressBook.insertAddress(tx, address));
  }
}
