import { EventCatalogue, type EventDefinition, type NewEvent, type EventType } from '@counterfoil/outbox';
import { WEBHOOK_EVENTS } from '../application/events';

function defined(data: Readonly<Record<string, object>>): EventDefinition {
  return { description: '', data: {}, example: { id: 'evt_example', created: 1, data } };
}

/** The event types that the tests of this lib need. Only their names matter. */
export const FEW_EVENTS = new EventCatalogue({
  'document.created': defined({ document: {} }),
  'document.cancelled': defined({ document: {} }),
  'charge.failed': defined({ charge: {} }),
  ...WEBHOOK_EVENTS,
});

/** An event with data of the test's own. */
export function anEvent(type: EventType, data: object = {}): NewEvent {
  return { type, data } as NewEvent;
}
