import type { PostalAddress } from '@counterfoil/kernel';

export interface Address extends PostalAddress {
  readonly id: number;
}

export interface ContactDetails {
  readonly firstName: string;
  readonly lastName: string | null;
  readonly phoneNumber: string | null;
  readonly email: string | null;
  readonly addressId: number | null;
}

/** A contact with its address instead of the address id. */
export interface Contact extends Omit<ContactDetails, 'addressId'> {
  readonly id: number;
  readonly address: Address | null;
}
