/** A postal address. `country` is an ISO 3166-1 alpha-2 code. */
export interface PostalAddress {
  readonly street: string;
  readonly city: string;
  readonly houseNumber: string | null;
  readonly zipCode: string | null;
  readonly country: string;
}
