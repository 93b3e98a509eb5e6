export { catalogued, type CataloguedEvent, EVENT_CATALOGUE } from './event-catalogue';
export { type JsonSchema } from './schema-parts';
export { EVENT_TYPES, isEventType, type EventType } from './event-types';
export { Outbox, type NewEvent, type RelayedEvent } from './outbox';
export { OutboxModule } from './outbox.module';
