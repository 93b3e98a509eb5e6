import { EVENT_TYPES } from '@counterfoil/outbox';
import { ATTEMPT_FAILURES, DELIVERY_STATES } from '@counterfoil/webhooks';
import { ApiProperty } from '@nestjs/swagger';
import { SuccessBody } from '../http/answers';

const TIME = { format: 'date-time' } as const;
const NULLABLE_TIME = { type: String, format: 'date-time', nullable: true } as const;
const SECRET = { description: 'The signing secret. Shown this once.', example: 'whsec_…' } as const;
/** As it was sent: a browser's idea of a URL, which is wider than the format `uri`. */
const REGISTERED_URL = {
  description: 'As it was registered.',
  example: 'https://example.com/hooks',
} as const;
const TYPE_NAMES = Object.keys(EVENT_TYPES);

export class EndpointBody {
  @ApiProperty({ example: 'we_…' })
  readonly id!: string;
  @ApiProperty(REGISTERED_URL)
  readonly url!: string;
  @ApiProperty({ type: [String] })
  readonly events!: readonly string[];
  @ApiProperty(TIME)
  readonly createdAt!: string;
  @ApiProperty({ ...NULLABLE_TIME, description: 'Since when its events wait; null when it is not paused.' })
  readonly pausedAt!: string | null;
}

export class RegisteredEndpointBody extends SuccessBody {
  @ApiProperty({ example: 'we_…' })
  readonly id!: string;
  @ApiProperty(REGISTERED_URL)
  readonly url!: string;
  @ApiProperty({ type: [String] })
  readonly events!: readonly string[];
  @ApiProperty(SECRET)
  readonly secret!: string;
}

export class RotatedSecretBody extends SuccessBody {
  @ApiProperty(SECRET)
  readonly secret!: string;
}

export class SentTestEventBody extends SuccessBody {
  @ApiProperty({ example: 'evt_…' })
  readonly eventId!: string;
  @ApiProperty({ type: 'integer' })
  readonly deliveryId!: number;
}

export class AttemptBody {
  @ApiProperty({ type: 'integer', description: 'From 1.' })
  readonly attempt!: number;
  @ApiProperty(TIME)
  readonly startedAt!: string;
  @ApiProperty({ type: 'integer' })
  readonly durationMs!: number;
  @ApiProperty({ type: 'integer', nullable: true, description: 'The HTTP status; null when none arrived.' })
  readonly status!: number | null;
  @ApiProperty({
    type: String,
    enum: ATTEMPT_FAILURES,
    nullable: true,
    description: 'Null when the endpoint acknowledged. `status`: it answered, and not with 2xx.',
  })
  readonly failure!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'The first 1 KiB of the answer.' })
  readonly response!: string | null;
}

export class DeliveryBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty({ example: 'evt_…' })
  readonly eventId!: string;
  @ApiProperty({ enum: TYPE_NAMES })
  readonly eventType!: string;
  @ApiProperty({
    enum: DELIVERY_STATES,
    description: '`pending` until the first attempt, `waiting` between attempts.',
  })
  readonly state!: string;
  @ApiProperty(TIME)
  readonly createdAt!: string;
  @ApiProperty({ ...NULLABLE_TIME, description: 'Null when there will be no further attempt.' })
  readonly nextAttemptAt!: string | null;
  @ApiProperty({ type: [AttemptBody], description: 'In their order; of very many, the latest 50.' })
  readonly attempts!: readonly AttemptBody[];
}

export class DeliveryWithEventBody extends DeliveryBody {
  @ApiProperty({ description: 'The exact body that is sent.', example: '{"id":"evt_…",…}' })
  readonly body!: string;
}

export class StartedReplayBody extends SuccessBody {
  @ApiProperty({ type: 'integer' })
  readonly replayId!: number;
}

export class ReplayBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty(TIME)
  readonly since!: string;
  @ApiProperty(TIME)
  readonly until!: string;
  @ApiProperty({ type: String, enum: DELIVERY_STATES, nullable: true })
  readonly state!: string | null;
  @ApiProperty({ type: 'integer', description: 'Deliveries made due again so far.' })
  readonly deliveries!: number;
  @ApiProperty(TIME)
  readonly createdAt!: string;
  @ApiProperty({ ...NULLABLE_TIME, description: 'Null while it goes on.' })
  readonly finishedAt!: string | null;
}

export class EventTypeBody {
  @ApiProperty({ enum: TYPE_NAMES })
  readonly type!: string;
  @ApiProperty()
  readonly description!: string;
  @ApiProperty({ type: Object, description: 'JSON Schema (2020-12) of the whole body.' })
  readonly schema!: object;
  @ApiProperty({ type: Object, description: 'A body, as it is sent.' })
  readonly example!: object;
}

export class EventTypesBody {
  @ApiProperty({ type: [EventTypeBody] })
  readonly data!: readonly EventTypeBody[];
}
