import { EVENT_TYPES } from '@counterfoil/outbox';
import { URL_LENGTH_MAX } from '@counterfoil/webhooks';
import { ApiProperty } from '@nestjs/swagger';
import { TextField, TextListField } from '../http/fields';

const EVENTS_DESCRIPTION = `Event types, or * for every type including future ones. Types: ${Object.keys(EVENT_TYPES).join(', ')}.`;

export class RegisterEndpointBody {
  @TextField({
    presence: 'required',
    max: URL_LENGTH_MAX,
    description: 'https only.',
    example: 'https://example.com/hooks',
  })
  readonly url!: string;

  @TextListField({
    presence: 'required',
    maxItems: 100,
    max: 100,
    description: EVENTS_DESCRIPTION,
    example: ['*'],
  })
  readonly events!: string[];
}

export class RegisteredEndpointBody {
  @ApiProperty({ enum: [true] })
  readonly success!: true;
  @ApiProperty({ example: 'we_…' })
  readonly id!: string;
  @ApiProperty({ format: 'uri' })
  readonly url!: string;
  @ApiProperty({ type: [String] })
  readonly events!: readonly string[];
  @ApiProperty({ description: 'The signing secret. Shown this once.', example: 'whsec_…' })
  readonly secret!: string;
}

export class EndpointBody {
  @ApiProperty()
  readonly id!: string;
  @ApiProperty({ format: 'uri' })
  readonly url!: string;
  @ApiProperty({ type: [String] })
  readonly events!: readonly string[];
  @ApiProperty({ format: 'date-time' })
  readonly createdAt!: string;
}
