import { EVENT_TYPES, type EventType } from '@counterfoil/outbox';
import { DELIVERY_STATES, type DeliveryState, OVERLAP_HOURS, URL_LENGTH_MAX } from '@counterfoil/webhooks';
import { ChoiceField, IntegerField, TextField, TextListField, TimestampField } from '../http/fields';

const TYPE_NAMES = Object.keys(EVENT_TYPES) as EventType[];
const OVERLAP_HOURS_MAX = 168;

const URL_OPTIONS = {
  max: URL_LENGTH_MAX,
  description: 'https only, without credentials, and no private address.',
  example: 'https://example.com/hooks',
};
const EVENTS_OPTIONS = {
  maxItems: 100,
  max: 100,
  description: `Event types, or * for every type including future ones. Types: ${TYPE_NAMES.join(', ')}.`,
  example: ['*'],
};

export class RegisterEndpointBody {
  @TextField({ presence: 'required', ...URL_OPTIONS })
  readonly url!: string;

  @TextListField({ presence: 'required', ...EVENTS_OPTIONS })
  readonly events!: string[];
}

/** What is left out stays as it is. */
export class UpdateEndpointBody {
  @TextField({ presence: 'edit', ...URL_OPTIONS })
  readonly url?: string;

  @TextListField({ presence: 'edit', ...EVENTS_OPTIONS })
  readonly events?: string[];
}

export class RotateSecretBody {
  @IntegerField({
    presence: 'edit',
    min: 0,
    max: OVERLAP_HOURS_MAX,
    description: `For how many hours the former secret signs along; ${OVERLAP_HOURS} when left out. With 0 it ends at once, and so does any one before it.`,
    example: OVERLAP_HOURS,
  })
  readonly overlapHours?: number;
}

export class SendTestEventBody {
  @ChoiceField({
    presence: 'edit',
    choices: TYPE_NAMES,
    description: 'Whose example is sent; the first that the endpoint asked for when left out.',
  })
  readonly type?: EventType;
}

export class StartReplayBody {
  @TimestampField({ presence: 'required', description: 'Deliveries made at this time or later.' })
  readonly since!: string;

  @TimestampField({
    presence: 'edit',
    description: 'Deliveries made at this time or before; now when left out.',
  })
  readonly until?: string;

  @ChoiceField({
    presence: 'edit',
    choices: DELIVERY_STATES,
    description: 'Only deliveries in this state; all but those that are pending when left out.',
  })
  readonly state?: DeliveryState;
}

export class ListDeliveriesQuery {
  @ChoiceField({ presence: 'edit', choices: DELIVERY_STATES })
  readonly state?: DeliveryState;

  @ChoiceField({ presence: 'edit', choices: TYPE_NAMES })
  readonly eventType?: EventType;

  @TextField({ presence: 'edit', max: 64, description: 'Deliveries of this event.' })
  readonly eventId?: string;

  @TimestampField({ presence: 'edit', description: 'Made at this time or later.' })
  readonly since?: string;

  @TimestampField({ presence: 'edit', description: 'Made at this time or before.' })
  readonly until?: string;
}
