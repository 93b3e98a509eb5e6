import type { CreateDocumentBody } from '@counterfoil/sdk';
import { CANCELLATION_REASON, type ChangeStep, type IssueStep } from './documents';
import { type Issued, issuedOf, keys } from './existing';
import { amountOf, percentOf } from './money';
import type { SeedRun } from './seed-run';
import type { IdsByName } from './write-parties';

/** The retainers, and all documents with their life cycle. */
export async function writeBooks(run: SeedRun, clients: IdsByName, products: IdsByName): Promise<void> {
  const retainers = await writeRetainers(run, clients);
  await writeDocuments(run, { clients, products, retainers });
}

async function writeRetainers(run: SeedRun, clients: IdsByName): Promise<ReadonlyMap<string, number>> {
  const { client, existing, plan } = run;
  const retainers = new Map<string, number>();
  for (const { name, client: billed, body, steps } of plan.retainers) {
    const entityId = clients.get(billed)!.id;
    const running = existing.retainers.get(keys.retainer(entityId, body.items[0]?.description));
    const known = running ?? existing.retainersOfDocuments.get(steps[0]?.name ?? '');
    const retainerId = await run.ensure('retainers', name, known, async (options) => {
      const created = await client.retainers.create({ ...body, entityId }, options);
      return created.retainerId;
    });
    retainers.set(name, retainerId);
  }
  return retainers;
}

interface Others {
  readonly clients: IdsByName;
  readonly products: IdsByName;
  readonly retainers: ReadonlyMap<string, number>;
}

/** Takes the steps one after the other: numbers run with the dates, and each step builds on earlier ones. */
async function writeDocuments(run: SeedRun, others: Others): Promise<void> {
  const books = new Books(run, others);
  for (const step of run.plan.documents)
    if (step.act === 'issue') await books.issue(step);
    else await books.change(step);
}

class Books {
  readonly #run: SeedRun;
  readonly #others: Others;
  readonly #issued = new Map<string, Issued>();
  /** The unpaid amounts in agorot, as far as the steps have been taken. */
  readonly #rests = new Map<string, number>();
  readonly #payments = new Map<string, { readonly invoice: string; readonly amount: number }>();

  constructor(run: SeedRun, others: Others) {
    this.#run = run;
    this.#others = others;
  }

  async issue(step: IssueStep): Promise<void> {
    const { client, existing } = this.#run;
    const payment = this.#paymentOf(step);
    const document = await this.#run.ensure(
      'documents',
      step.name,
      existing.documents.get(step.name),
      async (options) => {
        const body = await this.#withPayment(step, this.#bodyOf(step, payment?.amount));
        const created = await client.documents.create(step.type, body, options);
        return issuedOf('totalWithTax' in created ? created : await client.documents.getById(created.id));
      },
    );
    this.#issued.set(step.name, document);
    this.#rests.set(step.name, document.total);
    if (payment) this.#pay(step.name, payment);
    if (step.credits) this.#rests.set(step.credits, this.#restOf(step.credits) - document.total);
  }

  async change({ act, name }: ChangeStep): Promise<void> {
    const { documents } = this.#run.client;
    const { visibleId } = this.#issued.get(name)!;
    const { isOpen, cancelled } = await documents.get(visibleId);
    if (act === 'close')
      return this.#run.settle('closedDocuments', !isOpen, (options) => documents.close(visibleId, options));
    await this.#run.settle('cancelledDocuments', cancelled, (options) =>
      documents.cancel(visibleId, { reason: CANCELLATION_REASON }, options),
    );
    const payment = this.#payments.get(name)!;
    this.#rests.set(payment.invoice, this.#restOf(payment.invoice) + payment.amount);
  }

  /** The service computes totals; a receipt pays a part of what it computed. */
  #paymentOf({ pays }: IssueStep) {
    if (!pays) return undefined;
    return { invoice: pays.name, amount: percentOf(this.#restOf(pays.name), pays.percentOfRest) };
  }

  #pay(receipt: string, payment: { readonly invoice: string; readonly amount: number }): void {
    this.#payments.set(receipt, payment);
    this.#rests.set(payment.invoice, this.#restOf(payment.invoice) - payment.amount);
  }

  #restOf(name: string): number {
    return this.#rests.get(name)!;
  }

  #idOf(name: string): number {
    return this.#issued.get(name)!.id;
  }

  #bodyOf(step: IssueStep, paid: number | undefined): CreateDocumentBody {
    const { clients, products, retainers } = this.#others;
    const { covers, credits, pays, method, retainer } = step;
    return {
      entityId: clients.get(step.client)!.id,
      ...{ externalId: step.name, issueDate: step.day, currency: step.currency },
      ...(step.items.length > 0 && {
        items: step.items.map(({ product, ...item }) => ({
          ...item,
          ...(product !== undefined && { productId: products.get(product)!.id }),
        })),
      }),
      ...(covers !== undefined && { linkedDocumentIds: [this.#idOf(covers)] }),
      ...(credits !== undefined && { refundOf: this.#idOf(credits) }),
      ...(retainer !== undefined && { retainerId: retainers.get(retainer)! }),
      ...(pays !== undefined &&
        paid !== undefined && {
          payments: [{ method: method!, amount: amountOf(paid) }],
          allocations: [{ documentId: this.#idOf(pays.name), amount: amountOf(paid) }],
        }),
    };
  }

  /**
   * The payment of a tax invoice with a receipt must equal the total, which a preview tells. It names no other
   * document: a request of an earlier run may have covered it already.
   */
  async #withPayment({ type }: IssueStep, body: CreateDocumentBody): Promise<CreateDocumentBody> {
    if (type !== 'TAX_INVOICE_RECEIPT') return body;
    const { linkedDocumentIds: _, externalId: __, ...draft } = body;
    const { totalWithTax: amount } = await this.#run.client.documents.preview({ ...draft, type });
    return { ...body, payments: [{ method: 'CREDIT_CARD', amount }] };
  }
}
