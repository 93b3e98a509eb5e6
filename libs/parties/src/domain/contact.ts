/** Where somebody is. `country` is a code of ISO 3166-1, two letters. */
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

/** A person to speak to, with their address in the place of its id. */
export interface Contact extends Omit<ContactDetails, 'addressId'> {
  readonly id: number;
  readonly address: Address | null;
}
