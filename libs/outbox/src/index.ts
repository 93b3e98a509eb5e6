export { EVENT_TYPES, isEventType, type EventType } from './event-types';
export { Outbox, type NewEvent, type RelayedEvent } from './outbox';
export { OutboxModule } from './outbox.module';
