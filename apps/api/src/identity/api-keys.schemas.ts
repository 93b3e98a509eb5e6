import { ADDRESSES_MAX, KEY_NAME_LENGTH_MAX, type NewKeyInput } from '@counterfoil/identity';
import { parseTimestamp, type Role, ROLES } from '@counterfoil/kernel';
import {
  ChoiceProperty,
  IntegerProperty,
  ListProperty,
  SuccessBody,
  TextProperty,
  TimeProperty,
} from '../http/answers';
import { ChoiceField, TextField, TextListField, TimestampField } from '../http/fields';

/** The longest address of IPv6 with its prefix. */
const ADDRESS_LENGTH_MAX = 43;

const NAME = 'Tells the keys of a user apart, such as the program that uses it.';
const EXPIRES = 'From this time on, the key is refused. Without it, the key never expires.';
const ADDRESSES =
  'IP addresses and networks (CIDR) from which the key may be used. Without them, it may be used from anywhere. Behind a proxy, the address is that of the caller, if the operator has named the proxy.';

export class CreateApiKeyBody {
  @ChoiceField({ presence: 'required', choices: ROLES }) readonly role!: Role;
  @TextField({
    presence: 'required',
    max: 200,
    description: 'The user the key acts for; made when there is none of that name.',
  })
  readonly userName!: string;
  @TextField({ presence: 'optional', max: KEY_NAME_LENGTH_MAX, description: NAME })
  readonly name?: string | null;
  @TimestampField({ presence: 'optional', description: `${EXPIRES} Must be in the future.` })
  readonly expiresAt?: string | null;
  @TextListField({
    ...{ presence: 'optional', maxItems: ADDRESSES_MAX, max: ADDRESS_LENGTH_MAX, description: ADDRESSES },
    example: ['192.0.2.0/24', '2001:db8::7'],
  })
  readonly addresses?: string[] | null;
}

export function toNewKeyInput({ role, userName, name, expiresAt, addresses }: CreateApiKeyBody): NewKeyInput {
  return {
    role,
    userName,
    name: name ?? null,
    expiresAt: parseTimestamp(expiresAt ?? ''),
    addresses: addresses ?? null,
  };
}

export class CreatedApiKeyBody extends SuccessBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty({ description: 'Shown this once.', example: 'sk_live_…' }) readonly key!: string;
  @ChoiceProperty(ROLES) readonly role!: Role;
}

export class ApiKeyBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty({ nullable: true, description: NAME }) readonly name!: string | null;
  @ChoiceProperty(ROLES) readonly role!: Role;
  @IntegerProperty() readonly userId!: number;
  @TextProperty() readonly userName!: string;
  @TimeProperty() readonly createdAt!: string;
  @TimeProperty({ nullable: true, description: 'From this time on, the key is refused; null: never.' })
  readonly expiresAt!: string | null;
  @ListProperty(String, {
    nullable: true,
    description: 'The networks from which the key may be used; null: any.',
  })
  readonly addresses!: string[] | null;
  @TimeProperty({ nullable: true, description: 'To the minute.' }) readonly lastUsedAt!: string | null;
}
