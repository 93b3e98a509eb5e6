/** The parts of an event that its line shows. Any may be missing, since a newer service may send other events. */
interface EventData {
  readonly test?: boolean;
  readonly document?: Fields;
  readonly expense?: Fields;
  readonly movement?: Fields;
  readonly inventory?: Fields;
  readonly retainer?: Fields;
  readonly paymentMethod?: Fields;
  readonly charge?: Fields;
  readonly refund?: Fields;
  readonly runDate?: string;
  readonly error?: string;
}

type Fields = Readonly<Record<string, string | number | boolean | null>>;

/** Describes what an event is about, in a few words; empty if it is unknown. */
export function eventSummary(data: EventData): string {
  const test = data.test === true ? 'test: ' : '';
  return test + subjectOf(data);
}

function subjectOf(data: EventData): string {
  const { document, expense, paymentMethod, retainer } = data;
  if (document)
    return words(document['type'], document['number'], document['totalWithTax'], document['currency']);
  if (data.charge) return chargeText(data.charge, data.refund);
  if (paymentMethod)
    return words('card', paymentMethod['id'], paymentMethod['brand'], paymentMethod['last4']);
  if (expense) return words('expense', expense['id'], expense['date'], expense['total'], expense['currency']);
  if (retainer) return words('retainer', retainer['id'], retainer['documentType'], data.runDate, data.error);
  return stockText(data);
}

function stockText({ movement, inventory }: EventData): string {
  if (movement)
    return words(
      ...[movement['movementType'], movement['quantity'], 'of record', movement['inventoryId']],
      ...['now', movement['newQuantity']],
    );
  return inventory ? words('record', inventory['id'], 'available', inventory['availableQuantity']) : '';
}

function chargeText(charge: Fields, refund: Fields | undefined): string {
  if (refund) return words(refund['amount'], refund['currency'], 'of charge', charge['id']);
  const outcome = charge['failureCode'] ?? charge['status'];
  return words('charge', charge['id'], charge['amount'], charge['currency'], outcome);
}

type Part = string | number | boolean | null | undefined;

const words = (...parts: readonly Part[]): string =>
  parts.filter((part) => part !== undefined && part !== null).join(' ');
