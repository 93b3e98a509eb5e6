/** Every type of event: those of the specification (Event types), and behind them our own. Subscribing with `*` receives them all, later additions included. */
export const EVENT_TYPES = {
  'document.created': 'A document was issued: manually, through the API, or by the recurring-billing job.',
  'document.status_changed':
    "A document's settlement changed: closed manually, covered by a new document, or settled by a receipt allocation.",
  'document.allocated': 'A receipt was allocated against one or more invoices.',
  'document.cancelled': 'A receipt, credit note or supplier invoice was cancelled.',
  'document.refunded': 'A credit note (REFUND or RETURN) was issued against the document.',
  'document.approval_number.assigned':
    'A tax-authority allocation number was recorded on the document, including one completed after issue.',
  'charge.succeeded': 'A card charge was approved.',
  'charge.failed': 'A card charge was declined.',
  'charge.captured': 'A previously authorized charge was captured.',
  'charge.canceled': 'An authorization was voided.',
  'refund.created': 'A refund was issued against a charge.',
  'payment_method.attached': 'A card was saved for a customer.',
  'payment_method.detached': 'A saved card was removed.',
  'expense.created': 'An expense was recorded.',
  'expense.updated': 'An expense was changed, or was converted by a rate that had been missing.',
  'expense.deleted': 'An expense was deleted; the event shows it as it was.',
  'stock.movement.recorded': 'A stock movement was recorded; a transfer sends two, one of each stock record.',
  'retainer.document_refused': 'A document that a retainer had due was refused; it is tried again.',
  'stock.low': 'What is available of a stock record came down to its lowStockThreshold.',
} as const;

export type EventType = keyof typeof EVENT_TYPES;

export function isEventType(text: string): text is EventType {
  return Object.hasOwn(EVENT_TYPES, text);
}
