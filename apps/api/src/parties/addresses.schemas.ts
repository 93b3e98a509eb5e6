import type { PostalAddress } from '@counterfoil/kernel';
import { IntegerProperty, SuccessBody, TextProperty } from '../http/answers';
import { CountryField, TextField } from '../http/fields';

export class CreateAddressBody {
  @TextField({ presence: 'required', max: 200, example: 'Herzl' }) readonly street!: string;
  @TextField({ presence: 'required', max: 100, example: 'Tel Aviv' }) readonly city!: string;
  @TextField({ presence: 'optional', max: 20, example: '12a' })
  readonly houseNumber?: string | null;
  @TextField({ presence: 'optional', max: 20, example: '6688109' })
  readonly zipCode?: string | null;
  @CountryField({ presence: 'optional', description: 'IL when left out.' }) readonly country?: string | null;
}

export class CreatedAddressBody extends SuccessBody {
  @IntegerProperty() readonly addressId!: number;
}

export class AddressBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty() readonly city!: string;
  @TextProperty() readonly street!: string;
  @TextProperty({ nullable: true }) readonly houseNumber!: string | null;
  @TextProperty({ nullable: true }) readonly zipCode!: string | null;
  @TextProperty({ description: 'ISO 3166-1, two letters.' }) readonly country!: string;
}

const COUNTRY_DEFAULT = 'IL';

/** An empty optional text counts as left out. */
export function toCreateAddressInput({
  street,
  city,
  houseNumber,
  zipCode,
  country,
}: CreateAddressBody): PostalAddress {
  return {
    street,
    city,
    houseNumber: houseNumber ?? null,
    zipCode: zipCode ?? null,
    country: country ?? COUNTRY_DEFAULT,
  };
}

export function presentCreatedAddress(addressId: number): CreatedAddressBody {
  return { success: true, addressId };
}
