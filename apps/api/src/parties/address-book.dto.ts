import { ApiProperty } from '@nestjs/swagger';
import { SuccessBody } from '../http/answers';
import { CountryField, IdField, TextField } from '../http/fields';

export const EMAIL = { pattern: /^[^\s@]+@[^\s@]+\.[^\s@]+$/, problem: 'must be an e-mail address' };
export const EMAIL_MAX = 254;
export const PHONE_MAX = 20;
const NAME_MAX = 100;

export class CreateAddressBody {
  @TextField({ presence: 'required', max: 200, example: 'Herzl' })
  readonly street!: string;

  @TextField({ presence: 'required', max: 100, example: 'Tel Aviv' })
  readonly city!: string;

  @TextField({ presence: 'optional', max: 20, mayBeEmpty: true, example: '12a' })
  readonly houseNumber?: string | null;

  @TextField({ presence: 'optional', max: 20, mayBeEmpty: true, example: '6688109' })
  readonly zipCode?: string | null;

  @CountryField({ presence: 'optional', description: 'IL when left out.' })
  readonly country?: string | null;
}

export class CreatedAddressBody extends SuccessBody {
  @ApiProperty({ type: 'integer' })
  readonly addressId!: number;
}

export class AddressBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty()
  readonly city!: string;
  @ApiProperty()
  readonly street!: string;
  @ApiProperty({ type: 'string', nullable: true })
  readonly houseNumber!: string | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly zipCode!: string | null;
  @ApiProperty({ description: 'ISO 3166-1, two letters.' })
  readonly country!: string;
}

/** A contact, by itself or with the entity that it is made with. */
export class NewContactBody {
  @TextField({ presence: 'required', max: NAME_MAX, example: 'Dana' })
  readonly firstName!: string;

  @TextField({ presence: 'optional', max: NAME_MAX, mayBeEmpty: true })
  readonly lastName?: string | null;

  @TextField({ presence: 'optional', max: PHONE_MAX, mayBeEmpty: true })
  readonly phoneNumber?: string | null;

  @TextField({ presence: 'optional', max: EMAIL_MAX, form: EMAIL, mayBeEmpty: true })
  readonly email?: string | null;

  @IdField({ presence: 'optional', description: 'An address of POST /addresses/create.' })
  readonly addressId?: number | null;
}

export class CreatedContactBody extends SuccessBody {
  @ApiProperty({ type: 'integer' })
  readonly contactId!: number;
}

export class ContactBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty()
  readonly firstName!: string;
  @ApiProperty({ type: 'string', nullable: true })
  readonly lastName!: string | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly phoneNumber!: string | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly email!: string | null;
  @ApiProperty({ type: AddressBody, nullable: true })
  readonly address!: AddressBody | null;
}
