import { DOCUMENT_EVENTS, RETAINER_EVENTS } from '@counterfoil/documents';
import { EXPENSE_EVENTS } from '@counterfoil/expenses';
import { MOVEMENT_EVENTS, STOCK_EVENTS } from '@counterfoil/inventory';
import { type AllEvents, EventCatalogue } from '@counterfoil/outbox';
import { PAYMENT_EVENTS } from '@counterfoil/payments';
import { WEBHOOK_EVENTS } from '@counterfoil/webhooks';

/** What every context tells of: a type that some context defines and this leaves out does not compile. */
const EVENTS: AllEvents = {
  ...DOCUMENT_EVENTS,
  ...PAYMENT_EVENTS,
  ...EXPENSE_EVENTS,
  ...MOVEMENT_EVENTS,
  ...RETAINER_EVENTS,
  ...STOCK_EVENTS,
  ...WEBHOOK_EVENTS,
};

/** Every type of event, in the order in which receivers are shown them. */
export const EVENT_CATALOGUE = new EventCatalogue(EVENTS);
