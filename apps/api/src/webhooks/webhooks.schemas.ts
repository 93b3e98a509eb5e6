import { EVENT_CATALOGUE } from '@counterfoil/event-catalogue';
import { OVERLAP_HOURS, type RegisteredEndpoint, URL_LENGTH_MAX } from '@counterfoil/webhooks';
import { ApiProperty } from '@nestjs/swagger';
import {
  ChoiceProperty,
  IntegerProperty,
  ListProperty,
  SuccessBody,
  TextProperty,
  TimeProperty,
} from '../http/answers';
import { IntegerField, TextField, TextListField } from '../http/fields';

const OVERLAP_HOURS_MAX = 168;

const URL_OPTIONS = {
  max: URL_LENGTH_MAX,
  description: 'https only, without credentials, and no private address.',
  example: 'https://example.com/hooks',
};
const EVENTS_OPTIONS = {
  maxItems: 100,
  max: 100,
  description: `Event types, or * for every type including future ones. Types: ${EVENT_CATALOGUE.types.join(', ')}.`,
  example: ['*'],
};

export class RegisterEndpointBody {
  @TextField({ presence: 'required', ...URL_OPTIONS }) readonly url!: string;
  @TextListField({ presence: 'required', ...EVENTS_OPTIONS }) readonly events!: string[];
}

/** An omitted field stays. */
export class UpdateEndpointBody {
  @TextField({ presence: 'edit', ...URL_OPTIONS }) readonly url?: string;
  @TextListField({ presence: 'edit', ...EVENTS_OPTIONS }) readonly events?: string[];
}

export class RotateSecretBody {
  @IntegerField({
    presence: 'optional',
    min: 0,
    max: OVERLAP_HOURS_MAX,
    description: `The hours for which the previous secret signs, too; ${OVERLAP_HOURS} when left out. With 0, all earlier secrets end at once.`,
    example: OVERLAP_HOURS,
  })
  readonly overlapHours?: number | null;
}

const SecretProperty = () =>
  TextProperty({ description: 'The signing secret. Shown this once.', example: 'whsec_…' });
/** Without the format `uri`, because registration accepts every URL that browsers do, which is more. */
const UrlProperty = () =>
  TextProperty({ description: 'As it was registered.', example: 'https://example.com/hooks' });

export class EndpointBody {
  @TextProperty({ example: 'we_…' }) readonly id!: string;
  @UrlProperty() readonly url!: string;
  @ListProperty(String) readonly events!: readonly string[];
  @TimeProperty() readonly createdAt!: string;
  @TimeProperty({ nullable: true, description: 'Since when its events wait; null when it is not paused.' })
  readonly pausedAt!: string | null;
  @IntegerProperty({
    description:
      'Of the deliveries that were created in the last 24 hours, those that were dropped; at most 1000.',
  })
  readonly droppedInLastDay!: number;
}

/** The response to a repeated call. It has no secret, which is shown once (contract §9.2). */
export class ReplayedEndpointBody extends SuccessBody {
  @TextProperty({ example: 'we_…' }) readonly id!: string;
  @UrlProperty() readonly url!: string;
  @ListProperty(String) readonly events!: readonly string[];
}

export class RegisteredEndpointBody extends ReplayedEndpointBody {
  @SecretProperty() readonly secret!: string;
}

export class RotatedSecretBody extends SuccessBody {
  @SecretProperty() readonly secret!: string;
}

/** Without the second, generators of clients take it for an object without fields. */
const ANY_OBJECT = { type: 'object', additionalProperties: true } as const;

export class EventTypeBody {
  @ChoiceProperty(EVENT_CATALOGUE.types) readonly type!: string;
  @TextProperty() readonly description!: string;
  @ApiProperty({ ...ANY_OBJECT, description: 'JSON Schema (2020-12) of the whole body.' })
  readonly schema!: object;
  @ApiProperty({ ...ANY_OBJECT, description: 'A body, as it is sent.' }) readonly example!: object;
}

export class EventTypesBody {
  @ListProperty(EventTypeBody) readonly data!: readonly EventTypeBody[];
}

export function presentStoredEndpoint({ id, url, events }: RegisteredEndpoint): ReplayedEndpointBody {
  return { success: true, id, url, events };
}

export function presentRegisteredEndpoint(endpoint: RegisteredEndpoint): RegisteredEndpointBody {
  return { ...presentStoredEndpoint(endpoint), secret: endpoint.secret };
}
