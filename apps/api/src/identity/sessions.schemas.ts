import type { Session } from '@counterfoil/identity';
import { type Caller, type Permission, type Role, ROLES } from '@counterfoil/kernel';
import {
  BooleanProperty,
  ChoiceProperty,
  IntegerProperty,
  ListProperty,
  SuccessBody,
  TextProperty,
  TimeProperty,
} from '../http/answers';

export class CreatedSessionBody extends SuccessBody {
  @IntegerProperty({ description: 'Calls name it in the header `Counterfoil-Session`.' })
  readonly id!: number;
  @TimeProperty() readonly expiresAt!: Date;
}

export class SessionBody {
  @IntegerProperty() readonly id!: number;
  @IntegerProperty({ description: 'The key that it was opened with.' }) readonly apiKeyId!: number;
  @TextProperty({ nullable: true }) readonly keyName!: string | null;
  @ChoiceProperty(ROLES) readonly role!: Role;
  @IntegerProperty() readonly userId!: number;
  @TextProperty() readonly userName!: string;
  @TextProperty({ nullable: true, description: 'As the browser called itself.' })
  readonly userAgent!: string | null;
  @TextProperty({ description: 'From where the browser signed in.', example: '192.0.2.7' })
  readonly address!: string;
  @TimeProperty() readonly createdAt!: Date;
  @TimeProperty({ description: 'Never later than the expiry of the key.' }) readonly expiresAt!: Date;
}

export class ListedSessionBody extends SessionBody {
  @BooleanProperty({ description: 'Whether this call was made in the session.' })
  readonly isCurrent!: boolean;
}

export class CallerBody {
  @IntegerProperty() readonly companyId!: number;
  @TextProperty() readonly companyName!: string;
  @IntegerProperty() readonly apiKeyId!: number;
  @TextProperty({ nullable: true }) readonly keyName!: string | null;
  @IntegerProperty() readonly userId!: number;
  @TextProperty() readonly userName!: string;
  @ChoiceProperty(ROLES) readonly role!: Role;
  @ListProperty(String, { description: 'The permissions of the role.', example: ['read', 'write'] })
  readonly permissions!: readonly Permission[];
  @IntegerProperty({ nullable: true, description: 'Null for a call with an API key.' })
  readonly sessionId!: number | null;
  @TimeProperty({ nullable: true, description: 'Of the session or the key; null: never.' })
  readonly expiresAt!: Date | null;
}

export function presentSession(session: Session, { sessionId }: Caller): ListedSessionBody {
  return { ...session, isCurrent: session.id === sessionId };
}
