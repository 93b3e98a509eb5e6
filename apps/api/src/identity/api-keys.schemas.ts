import { type Role, ROLES } from '@counterfoil/kernel';
import { ChoiceProperty, IntegerProperty, SuccessBody, TextProperty, TimeProperty } from '../http/answers';
import { ChoiceField, TextField } from '../http/fields';

export class CreateApiKeyBody {
  @ChoiceField({ presence: 'required', choices: ROLES }) readonly role!: Role;
  @TextField({
    presence: 'required',
    max: 200,
    description: 'The user the key acts for; made when there is none of that name.',
  })
  readonly userName!: string;
}

export class CreatedApiKeyBody extends SuccessBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty({ description: 'Shown this once.', example: 'sk_live_…' }) readonly key!: string;
  @ChoiceProperty(ROLES) readonly role!: Role;
}

export class ApiKeyBody {
  @IntegerProperty() readonly id!: number;
  @ChoiceProperty(ROLES) readonly role!: Role;
  @IntegerProperty() readonly userId!: number;
  @TextProperty() readonly userName!: string;
  @TimeProperty() readonly createdAt!: string;
  @TimeProperty({ nullable: true, description: 'To the minute.' }) readonly lastUsedAt!: string | null;
}
