/** The types of the specification's table (spec: Event types), to the letter. */
export const SPECIFIED = [
  'document.created',
  'document.status_changed',
  'document.allocated',
  'document.cancelled',
  'document.refunded',
  'document.approval_number.assigned',
  'charge.succeeded',
  'charge.failed',
  'charge.captured',
  'charge.canceled',
  'refund.created',
  'payment_method.attached',
  'payment_method.detached',
];
/** Those that the specification does not know, which `*` receives as well. */
export const OWN = [
  'expense.created',
  'expense.updated',
  'expense.deleted',
  'stock.movement.recorded',
  'retainer.document_refused',
  'stock.low',
];
