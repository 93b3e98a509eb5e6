import { type ContactDetails, EMAIL_MAX } from '@counterfoil/parties';
import { IntegerProperty, ObjectProperty, SuccessBody, TextProperty } from '../http/answers';
import { IdField, TextField } from '../http/fields';
import { AddressBody } from './addresses.schemas';

/** Accepts what people note, also addresses to which no mail is sent. Recipients of mails have the rule of `mails.schemas`. */
export const EMAIL = {
  pattern: /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/,
  problem: 'must be an e-mail address',
};
export const PHONE_MAX = 20;
const NAME_MAX = 100;

/** A new contact, alone or together with a new entity. */
export class NewContactBody {
  @TextField({ presence: 'required', max: NAME_MAX, example: 'Dana' }) readonly firstName!: string;
  @TextField({ presence: 'optional', max: NAME_MAX }) readonly lastName?: string | null;
  @TextField({ presence: 'optional', max: PHONE_MAX }) readonly phoneNumber?: string | null;
  @TextField({ presence: 'optional', max: EMAIL_MAX, form: EMAIL })
  readonly email?: string | null;
  @IdField({ presence: 'optional', description: 'An address of POST /addresses/create.' })
  readonly addressId?: number | null;
}

export class CreatedContactBody extends SuccessBody {
  @IntegerProperty() readonly contactId!: number;
}

export class ContactBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty() readonly firstName!: string;
  @TextProperty({ nullable: true }) readonly lastName!: string | null;
  @TextProperty({ nullable: true }) readonly phoneNumber!: string | null;
  @TextProperty({ nullable: true }) readonly email!: string | null;
  @ObjectProperty(AddressBody, { nullable: true }) readonly address!: AddressBody | null;
}

/** An empty optional text counts as left out. */
export function toContactInput(sent: NewContactBody): ContactDetails {
  const { firstName, lastName, phoneNumber, email, addressId } = sent;
  return {
    firstName,
    lastName: lastName ?? null,
    phoneNumber: phoneNumber ?? null,
    email: email ?? null,
    addressId: addressId ?? null,
  };
}

export function presentCreatedContact(contactId: number): CreatedContactBody {
  return { success: true, contactId };
}
