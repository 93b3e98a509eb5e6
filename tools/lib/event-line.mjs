// Formats an event as one readable line.

/**
 * @param {Buffer} body
 * @param {{ fault: string | null, repeated: boolean }} verdict why the signature is invalid, and whether this event is a
 *   duplicate (delivery is at least once)
 */
export function eventLine(body, { fault, repeated }) {
  const time = new Date().toTimeString().slice(0, 8);
  const event = parse(body);
  const what = event
    ? [String(event.type).padEnd(24), event.id, describe(event.data ?? {})]
    : ['(not an event)'];
  const signature = fault ?? 'signature ok';
  const test = event?.data?.test === true ? 'test' : '';
  return [time, ...what, signature, test, repeated ? 'again' : ''].filter(Boolean).map(printable).join('  ');
}

export function eventId(body) {
  return parse(body)?.id ?? null;
}

function describe(data) {
  const { document, expense, movement, inventory, retainer, paymentMethod, charge } = data;
  if (document) return describeDocument(document);
  if (charge) return describeCharge(charge, data.refund);
  if (paymentMethod) return `card ${paymentMethod.id}: ${paymentMethod.brand} ${paymentMethod.last4}`;
  if (expense) return `expense ${expense.id} of ${expense.date}: ${expense.total} ${expense.currency}`;
  if (movement) {
    const { movementType, quantity, inventoryId, newQuantity, newReservedQuantity } = movement;
    return `${movementType} ${quantity} of record ${inventoryId}: ${newQuantity}, ${newReservedQuantity} reserved`;
  }
  if (retainer) return `retainer ${retainer.id}, ${retainer.documentType} of ${data.runDate}: ${data.error}`;
  return inventory ? `record ${inventory.id}: ${inventory.availableQuantity} available` : '';
}

function describeDocument({ type, number, totalWithTax, currency }) {
  const parts = [type, number, totalWithTax, currency];
  return parts.filter((part) => part !== undefined && part !== null).join(' ');
}

function describeCharge({ id, amount, currency, status, failureCode }, refund) {
  if (refund) return `${refund.amount} ${refund.currency} of charge ${id}`;
  return `charge ${id}: ${amount} ${currency} ${failureCode ?? status}`;
}

function parse(body) {
  try {
    const value = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Text from the network must not control the terminal. */
function printable(text) {
  return String(text).replace(/[\p{Cc}\p{Cf}]/gu, '?');
}
