import {
  APPLIES_TO,
  type AppliesTo,
  FIELD_TYPES,
  type FieldType,
  FILTERS_BYTES_MAX,
  FILTERS_DEPTH_MAX,
  type JsonObject,
} from '@counterfoil/definitions';
import { field } from '../http/field';
import { ChoiceField, TextField } from '../http/fields';

const NAME_MAX = 100;
const COLOR = { pattern: /^#[0-9A-Fa-f]{6}$/, problem: 'must be a color, #RRGGBB' };

export class CreateCustomFieldBody {
  @TextField({ presence: 'required', max: NAME_MAX, description: 'Need not be unique.', example: 'Region' })
  readonly name!: string;

  @ChoiceField({ presence: 'required', choices: APPLIES_TO, description: 'The records that it is for.' })
  readonly appliesTo!: AppliesTo;

  @ChoiceField({ presence: 'required', choices: FIELD_TYPES, description: 'What it may hold.' })
  readonly fieldType!: FieldType;
}

export class CreateDocumentExecutionStatusBody {
  @TextField({ presence: 'required', max: NAME_MAX, description: 'Need not be unique.', example: 'Packed' })
  readonly name!: string;

  @TextField({
    presence: 'optional',
    max: 7,
    form: COLOR,
    description: '#RRGGBB, in capitals or small letters; kept as it is sent.',
    example: '#1E90FF',
  })
  readonly color?: string | null;
}

/** What `filters` hold is a rule of the domain. */
export class CreateSavedReportBody {
  @TextField({ presence: 'required', max: NAME_MAX, description: 'Need not be unique.', example: 'Unpaid' })
  readonly name!: string;

  @field(
    {
      presence: 'required',
      description: `Any JSON object of up to ${FILTERS_BYTES_MAX} bytes and ${FILTERS_DEPTH_MAX} levels; kept, and answered, as it is sent. Numbers up to ${Number.MAX_SAFE_INTEGER}.`,
      example: { type: ['TAX_INVOICE'], status: 'OPEN', total: { from: 1000 } },
    },
    { type: 'object', additionalProperties: true },
    (value) => (typeof value === 'object' && !Array.isArray(value) ? null : 'must be an object'),
  )
  readonly filters!: JsonObject;
}
