import { EVENT_CATALOGUE } from '@counterfoil/event-catalogue';
import type { EventType } from '@counterfoil/outbox';
import { TEST_EVENT_TARGETS, type TestEventTarget } from '@counterfoil/webhooks';
import { SuccessBody, TextProperty } from '../http/answers';
import { ChoiceField } from '../http/fields';

export class TriggerEventBody {
  @ChoiceField({
    presence: 'required',
    choices: EVENT_CATALOGUE.types,
    description: 'The event type whose example is sent.',
  })
  readonly type!: EventType;
  @ChoiceField({
    presence: 'optional',
    choices: TEST_EVENT_TARGETS,
    description:
      'all: the streams and every endpoint that subscribes to the type; stream: the streams alone.',
  })
  readonly target?: TestEventTarget | null;
}

export class TriggeredEventBody extends SuccessBody {
  @TextProperty({ description: 'The id of the event.', example: 'evt_…' }) readonly eventId!: string;
}

export const STREAM = {
  description:
    'Server-sent events. First `open` with `{ secret, cursor }`, then a `delivery` with `{ headers, body }` for each event. The id of a message is the cursor after it.',
  content: { 'text/event-stream': { schema: { type: 'string' } } },
} as const;
