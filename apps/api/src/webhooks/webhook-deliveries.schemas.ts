import { EVENT_CATALOGUE } from '@counterfoil/event-catalogue';
import { parseTimestamp } from '@counterfoil/kernel';
import type { EventType } from '@counterfoil/outbox';
import {
  ATTEMPT_FAILURES,
  DELIVERY_STATES,
  type DeliveryFilter,
  type DeliveryState,
} from '@counterfoil/webhooks';
import {
  ChoiceProperty,
  IntegerProperty,
  ListProperty,
  SuccessBody,
  TextProperty,
  TimeProperty,
} from '../http/answers';
import { ChoiceField, TextField, TimestampField } from '../http/fields';

export class SendTestEventBody {
  @ChoiceField({
    presence: 'optional',
    choices: EVENT_CATALOGUE.types,
    description: 'The event type whose example is sent; by default the first type of the endpoint.',
  })
  readonly type?: EventType | null;
}

export class StartReplayBody {
  @TimestampField({ presence: 'required', description: 'Deliveries made at this time or later.' })
  readonly since!: string;
  @TimestampField({
    presence: 'optional',
    description: 'Deliveries made at this time or before; now when left out.',
  })
  readonly until?: string | null;
  @ChoiceField({
    presence: 'optional',
    choices: DELIVERY_STATES,
    description: 'Only deliveries in this state; all but those that are pending when left out.',
  })
  readonly state?: DeliveryState | null;
}

export class ListDeliveriesQuery {
  @ChoiceField({ presence: 'edit', choices: DELIVERY_STATES }) readonly state?: DeliveryState;
  @ChoiceField({ presence: 'edit', choices: EVENT_CATALOGUE.types }) readonly eventType?: EventType;
  @TextField({ presence: 'edit', max: 64, description: 'Deliveries of this event.' })
  readonly eventId?: string;
  @TimestampField({ presence: 'edit', description: 'Made at this time or later.' }) readonly since?: string;
  @TimestampField({ presence: 'edit', description: 'Made at this time or before.' }) readonly until?: string;
}

export class SentTestEventBody extends SuccessBody {
  @TextProperty({ example: 'evt_…' }) readonly eventId!: string;
  @IntegerProperty() readonly deliveryId!: number;
}

export class AttemptBody {
  @IntegerProperty({ description: 'From 1.' }) readonly attempt!: number;
  @TimeProperty() readonly startedAt!: string;
  @IntegerProperty() readonly durationMs!: number;
  @IntegerProperty({ nullable: true, description: 'The HTTP status; null when none arrived.' })
  readonly status!: number | null;
  @ChoiceProperty(ATTEMPT_FAILURES, {
    nullable: true,
    description: 'Null when the endpoint acknowledged. `status`: it answered, and not with 2xx.',
  })
  readonly failure!: string | null;
  @TextProperty({ nullable: true, description: 'The first 1 KiB of the answer.' })
  readonly response!: string | null;
}

export class DeliveryBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty({ example: 'evt_…' }) readonly eventId!: string;
  @ChoiceProperty(EVENT_CATALOGUE.types) readonly eventType!: string;
  @ChoiceProperty(DELIVERY_STATES, {
    description: '`pending` until the first attempt, `waiting` between attempts.',
  })
  readonly state!: string;
  @TimeProperty() readonly createdAt!: string;
  @TimeProperty({ nullable: true, description: 'Null when there will be no further attempt.' })
  readonly nextAttemptAt!: string | null;
  @ListProperty(AttemptBody, { description: 'In their order; of very many, the latest 50.' })
  readonly attempts!: readonly AttemptBody[];
}

export class DeliveryWithEventBody extends DeliveryBody {
  @TextProperty({ description: 'The exact body that is sent.', example: '{"id":"evt_…",…}' })
  readonly body!: string;
}

export class StartedReplayBody extends SuccessBody {
  @IntegerProperty() readonly replayId!: number;
}

export class ReplayBody {
  @IntegerProperty() readonly id!: number;
  @TimeProperty() readonly since!: string;
  @TimeProperty() readonly until!: string;
  @ChoiceProperty(DELIVERY_STATES, { nullable: true }) readonly state!: string | null;
  @IntegerProperty({ description: 'Deliveries made due again so far.' }) readonly deliveries!: number;
  @TimeProperty() readonly createdAt!: string;
  @TimeProperty({ nullable: true, description: 'Null while it goes on.' })
  readonly finishedAt!: string | null;
}

export function toStartRedeliveryInput({ since, until, state }: StartReplayBody) {
  return {
    since: parseTimestamp(since) ?? new Date(0),
    until: toInstant(until ?? undefined),
    state: state ?? undefined,
  };
}

export function toListInput({ since, until, ...others }: ListDeliveriesQuery): DeliveryFilter {
  return { ...others, since: toInstant(since), until: toInstant(until) };
}

/** Requires a text that `TimestampField` has accepted. */
function toInstant(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : (parseTimestamp(text) ?? undefined);
}

export function presentStartedRedelivery(replayId: number): StartedReplayBody {
  return { success: true, replayId };
}
