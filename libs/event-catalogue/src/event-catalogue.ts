import { DOCUMENT_EVENTS, RETAINER_EVENTS } from '@counterfoil/documents';
import { EXPENSE_EVENTS } from '@counterfoil/expenses';
import { MOVEMENT_EVENTS, STOCK_EVENTS } from '@counterfoil/inventory';
import { MAIL_EVENTS } from '@counterfoil/mail';
import { type AllEvents, EventCatalogue } from '@counterfoil/outbox';
import { PAYMENT_EVENTS } from '@counterfoil/payments';
import { SHARING_EVENTS } from '@counterfoil/sharing';
import { WEBHOOK_EVENTS } from '@counterfoil/webhooks';

/** The events of all contexts. An event type that a context defines and this omits does not compile. */
const EVENTS: AllEvents = {
  ...DOCUMENT_EVENTS,
  ...PAYMENT_EVENTS,
  ...EXPENSE_EVENTS,
  ...MOVEMENT_EVENTS,
  ...RETAINER_EVENTS,
  ...SHARING_EVENTS,
  ...STOCK_EVENTS,
  ...MAIL_EVENTS,
  ...WEBHOOK_EVENTS,
};

/** All event types, in the order in which the documentation lists them. */
export const EVENT_CATALOGUE = new EventCatalogue(EVENTS);
