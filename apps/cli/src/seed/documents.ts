import type { DocumentType } from '@counterfoil/sdk';
import { addDays, type Day, workdayOf, workdays } from './calendar';
import type { PlannedProduct } from './catalog';
import { itemsOf, type PlannedItem, vatRateFor } from './items';
import type { PlannedClient } from './parties';
import { Random } from './random';

/** A document to issue. Its name is its `externalId`; other documents are named alike. */
export interface IssueStep {
  readonly act: 'issue';
  readonly name: string;
  readonly day: Day;
  readonly type: DocumentType;
  readonly client: string;
  readonly currency: string;
  readonly items: readonly PlannedItem[];
  /** The document that it covers, credits or pays. */
  readonly covers?: string;
  readonly credits?: string;
  readonly pays?: { readonly name: string; readonly percentOfRest: number };
  readonly method?: PaymentMethod;
  readonly retainer?: string;
}

/** A change of a document that was issued. */
export interface ChangeStep {
  readonly act: 'close' | 'cancel';
  readonly name: string;
  readonly day: Day;
}

export type DocumentStep = IssueStep | ChangeStep;
type PaymentMethod = 'BANK_TRANSFER' | 'CHECK' | 'CREDIT_CARD' | 'CASH';

/** A deal with one client, written down step by step. */
export class Deal {
  readonly steps: DocumentStep[] = [];
  day: Day;
  readonly #random: Random;
  readonly #prefix: string;
  readonly #client: PlannedClient;

  constructor(random: Random, prefix: string, { day, client }: { day: Day; client: PlannedClient }) {
    this.#random = random;
    this.#prefix = prefix;
    this.#client = client;
    this.day = day;
  }

  /** Lets some days pass. */
  wait(least: number, most: number): this {
    const later = workdayOf(addDays(this.day, this.#random.int(least, most)));
    if (later > this.day) this.day = later;
    return this;
  }

  issue(
    type: DocumentType,
    items: readonly PlannedItem[],
    links: Partial<Pick<IssueStep, 'covers' | 'credits' | 'retainer'>> = {},
  ): string {
    const name = `${this.#prefix}/${this.steps.length + 1}`;
    const { name: client, currency } = this.#client;
    // A credit note has the rate of the document that it credits.
    const vatRate = links.credits === undefined ? { vatRate: vatRateFor(this.#client, this.day) } : {};
    const taxed = items.map((item) => ({ ...item, ...vatRate }));
    this.steps.push({ act: 'issue', name, day: this.day, type, client, currency, items: taxed, ...links });
    return name;
  }

  pay(invoice: string, percentOfRest = 100): string {
    const name = this.issue('RECEIPT', []);
    const method = this.#random.pick(['BANK_TRANSFER', 'BANK_TRANSFER', 'CHECK', 'CREDIT_CARD'] as const);
    const receipt = this.steps.pop() as IssueStep;
    this.steps.push({ ...receipt, pays: { name: invoice, percentOfRest }, method });
    return name;
  }

  change(act: ChangeStep['act'], name: string): void {
    this.steps.push({ act, name, day: this.day });
  }
}

type Story = (deal: Deal, items: readonly PlannedItem[]) => void;

/** Each is repeated as often as it is named. */
const STORIES: readonly Story[] = [
  // Offered, ordered, delivered, invoiced, paid.
  (deal, items) => {
    const quote = deal.issue('QUOTE', items);
    const order = deal.wait(2, 9).issue('ORDER', items, { covers: quote });
    const delivery = deal.wait(1, 7).issue('DELIVERY_NOTE', items, { covers: order });
    const invoice = deal.wait(0, 3).issue('TAX_INVOICE', items, { covers: delivery });
    deal.wait(14, 60).pay(invoice);
  },
  // Sold and paid at once.
  (deal, items) => void deal.issue('TAX_INVOICE_RECEIPT', items),
  // Invoiced, and paid in two parts.
  (deal, items) => {
    const invoice = deal.issue('TAX_INVOICE', items);
    deal.wait(7, 30).pay(invoice, 40);
    deal.wait(14, 45).pay(invoice);
  },
  // The client declined.
  (deal, items) => {
    const quote = deal.issue('QUOTE', items);
    deal.wait(10, 30).change('close', quote);
  },
  // A part was sent back and credited.
  (deal, items) => {
    const invoice = deal.issue('TAX_INVOICE', items);
    const [returned] = items;
    deal.wait(3, 12).issue('REFUND', [{ ...returned!, quantity: 1 }], { credits: invoice });
    const isAllReturned = items.length === 1 && returned!.quantity === 1;
    if (!isAllReturned) deal.wait(10, 40).pay(invoice);
  },
  // Requested, then paid.
  (deal, items) => {
    const proforma = deal.issue('PROFORMA', items);
    deal.wait(3, 20).issue('TAX_INVOICE_RECEIPT', items, { covers: proforma });
  },
  // The first cheque was not honoured.
  (deal, items) => {
    const invoice = deal.issue('TAX_INVOICE', items);
    const receipt = deal.wait(10, 25).pay(invoice);
    deal.wait(2, 5).change('cancel', receipt);
    deal.wait(5, 20).pay(invoice);
  },
  // Not paid yet.
  (deal, items) => void deal.issue('TAX_INVOICE', items),
];

export const CANCELLATION_REASON = 'The cheque was returned by the bank';

interface Trading {
  readonly clients: readonly PlannedClient[];
  readonly products: readonly PlannedProduct[];
  readonly until: Day;
  readonly deals: number;
}

/** Steps that lie after the last day are left out: these deals are still open. */
export function planDeals(seed: number, { clients, products, until, deals }: Trading): DocumentStep[] {
  const random = new Random(`${seed}/deals`);
  return workdays(random, until, deals).flatMap((day, index) => {
    const client = index < clients.length ? clients[index]! : random.pick(clients);
    const deal = new Deal(random, `seed-${seed}/deal-${index + 1}`, { day, client });
    STORIES[index % STORIES.length]!(deal, itemsOf(random, { client, products }));
    return deal.steps.filter((step) => step.day <= until);
  });
}

/** Numbers run with the dates, as in books that were kept day by day. Steps of one deal keep their order. */
export const inOrder = (steps: readonly DocumentStep[]): DocumentStep[] =>
  [...steps].sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
