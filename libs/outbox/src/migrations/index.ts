import { EventTraces1795700000000 } from './1795700000000-event-traces';

export const OUTBOX_MIGRATIONS = [EventTraces1795700000000];
