import {
  APPLIES_TO,
  type AppliesTo,
  type CustomField,
  FIELD_TYPES,
  type FieldType,
} from '@counterfoil/definitions';
import { ChoiceProperty, IntegerProperty, SuccessBody, TextProperty, TimeProperty } from '../http/answers';
import { ChoiceField, TextField } from '../http/fields';

const NAME_MAX = 100;

export class CreateCustomFieldBody {
  @TextField({ presence: 'required', max: NAME_MAX, description: 'Need not be unique.', example: 'Region' })
  readonly name!: string;
  @ChoiceField({ presence: 'required', choices: APPLIES_TO, description: 'The records that it is for.' })
  readonly appliesTo!: AppliesTo;
  @ChoiceField({ presence: 'required', choices: FIELD_TYPES, description: 'The type of its values.' })
  readonly fieldType!: FieldType;
}

export class CreatedCustomFieldBody extends SuccessBody {
  @IntegerProperty() readonly customFieldId!: number;
}

export class CustomFieldBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty() readonly name!: string;
  @ChoiceProperty(APPLIES_TO) readonly appliesTo!: AppliesTo;
  @ChoiceProperty(FIELD_TYPES) readonly fieldType!: FieldType;
  @TimeProperty() readonly createdAt!: string;
}

export function presentCustomField({
  id,
  name,
  appliesTo,
  fieldType,
  createdAt,
}: CustomField): CustomFieldBody {
  return { id, name, appliesTo, fieldType, createdAt: createdAt.toISOString() };
}

export function presentCreatedCustomField(customFieldId: number): CreatedCustomFieldBody {
  return { success: true, customFieldId };
}
