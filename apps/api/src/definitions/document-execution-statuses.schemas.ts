import type { DocumentExecutionStatus } from '@counterfoil/definitions';
import { IntegerProperty, SuccessBody, TextProperty, TimeProperty } from '../http/answers';
import { TextField } from '../http/fields';

const COLOR = { pattern: /^#[0-9A-Fa-f]{6}$/, problem: 'must be a color, #RRGGBB' };
const NAME_MAX = 100;

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

export class CreatedDocumentExecutionStatusBody extends SuccessBody {
  @IntegerProperty() readonly documentExecutionStatusId!: number;
}

export class DocumentExecutionStatusBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty() readonly name!: string;
  @TextProperty({ nullable: true, example: '#1E90FF' }) readonly color!: string | null;
  @TimeProperty() readonly createdAt!: string;
}

export function presentExecutionStatus({
  id,
  name,
  color,
  createdAt,
}: DocumentExecutionStatus): DocumentExecutionStatusBody {
  return { id, name, color, createdAt: createdAt.toISOString() };
}

export function presentCreatedExecutionStatus(
  documentExecutionStatusId: number,
): CreatedDocumentExecutionStatusBody {
  return { success: true, documentExecutionStatusId };
}
