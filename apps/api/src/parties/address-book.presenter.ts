import type { AddressDetails, ContactDetails } from '@counterfoil/parties';
import type { CreateAddressBody, NewContactBody } from './address-book.dto';

const COUNTRY_DEFAULT = 'IL';

/** A new address as it was sent; an empty optional text counts as left out. */
export function addressDetails({
  street,
  city,
  houseNumber,
  zipCode,
  country,
}: CreateAddressBody): AddressDetails {
  return {
    street,
    city,
    houseNumber: houseNumber || null,
    zipCode: zipCode || null,
    country: country ?? COUNTRY_DEFAULT,
  };
}

/** A new contact as it was sent; an empty optional text counts as left out. */
export function contactDetails(sent: NewContactBody): ContactDetails {
  const { firstName, lastName, phoneNumber, email, addressId } = sent;
  return {
    firstName,
    lastName: lastName || null,
    phoneNumber: phoneNumber || null,
    email: email || null,
    addressId: addressId ?? null,
  };
}
