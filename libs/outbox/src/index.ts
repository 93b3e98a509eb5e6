export { OUTBOX_COMPANY_DATA } from './company-data.sql';
export { type CataloguedEvent, EventCatalogue } from './event-catalogue';
export {
  type AllEvents,
  type ContextEvents,
  defineEvents,
  type EventDefinition,
  type EventType,
  type NewEvent,
} from './event-definition';
export { type DatedPosition, type EventBatch, EventLog, type LoggedEvent } from './event-log';
export { commonPosition, EventPosition } from './event-position';
export {
  choice,
  CURRENCY,
  flag,
  formatted,
  integer,
  type JsonSchema,
  listOf,
  matching,
  number,
  orNull,
  text,
  titled,
  type ValueOf,
} from './json-schema';
export { type ExampleEvent, Outbox, RELAYED_MAX, type RelayedEvent } from './outbox';
export { OutboxModule } from './outbox.module';
export { OUTBOX_JOBS } from './jobs';
export { OUTBOX_MIGRATIONS } from './migrations';
