/** `country` is an ISO 3166-1 alpha-2 code. */
export interface AddressDetails {
  readonly street: string;
  readonly city: string;
  readonly houseNumber: string | null;
  readonly zipCode: string | null;
  readonly country: string;
}

export interface Address extends AddressDetails {
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
