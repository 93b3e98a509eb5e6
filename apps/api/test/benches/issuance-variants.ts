import { randomUUID } from 'node:crypto';
import { statement, within } from '@counterfoil/database';
import { DocumentsModule, IssueDocument, type NewDocument } from '@counterfoil/documents';
import { Idempotency } from '@counterfoil/idempotency';
import { CreateCompany } from '@counterfoil/identity';
import { type Caller, fingerprintOf, type IdempotencyKey, Transactions } from '@counterfoil/kernel';
import { CreateParty } from '@counterfoil/parties';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { presentIssuedDocument } from '../../src/documents/issuing.schemas';

/** Above all numbers of the service. */
const BARE_NUMBERS_FROM = 1_000_000_000;

interface Place {
  readonly caller: Caller;
  readonly entityId: number;
}

/** The variants of writing the same rows that are compared, each one call. */
export type Variant = 'bare' | 'issue' | 'issueWithKey' | 'replay';

type BareText = 'visibleId' | 'eventId' | 'body' | 'key' | 'response';

interface BareRows extends Readonly<Record<BareText, string>> {
  readonly id: number;
  readonly companyId: number;
  readonly entityId: number;
  readonly fingerprint: Buffer;
}

/** Writes the rows of a document, its event and its key as fast as possible: one prepared statement. */
const BARE = statement<BareRows>(
  'bare insert',
  `with document as (
    insert into documents (id, visible_id, company_id, type, number, entity_id, issue_date, currency, amount, tax,
      total_with_tax, status, remaining_amount, covered_amount, created_at, updated_at, change_number)
    overriding system value
    values (:id, :visibleId, :companyId, 'TAX_INVOICE', :id, :entityId, current_date, 'ILS', 100, 18, 118, 'OPEN',
      118, 0, now(), now(), :id)
  ), item as (
    insert into document_items (document_id, position, description, quantity, unit_price, discount_percent, vat_rate,
      line_total)
    values (:id, 0, 'Consulting', 1, 100, 0, 18, 100)
  ), event as (
    insert into outbox_events (id, company_id, type, body, created_at)
    values (:eventId, :companyId, 'document.created', :body, now())
  )
  insert into idempotency_keys (company_id, key, fingerprint, response, created_at)
  values (:companyId, :key, :fingerprint, :response, now())`,
  { prepared: true },
);

/** Issues documents in this process on a real PostgreSQL, alternating between many companies. */
export class IssuanceVariants {
  private turn = 0;
  private bareNumber = BARE_NUMBERS_FROM;
  private readonly keysUsed: { readonly place: Place; readonly key: IdempotencyKey }[] = [];
  private body = '';
  private response = '';

  private constructor(
    private readonly context: TestContext,
    private readonly places: readonly Place[],
    /** Companies for the bare inserts. The service would continue from their numbers. */
    private readonly barePlaces: readonly Place[],
  ) {}

  static async start(companies: number): Promise<IssuanceVariants> {
    const context = await startTestContext([DocumentsModule]);
    const [places, barePlaces]: [Place[], Place[]] = [[], []];
    for (let count = 0; count < companies; count++) {
      places.push(await newPlace(context));
      barePlaces.push(await newPlace(context));
    }
    const variants = new IssuanceVariants(context, places, barePlaces);
    await variants.learnTexts();
    return variants;
  }

  close(): Promise<void> {
    return this.context.close();
  }

  /** Makes one call of a variant for the next company. */
  call(variant: Variant): Promise<unknown> {
    const places = variant === 'bare' ? this.barePlaces : this.places;
    const place = places[this.turn++ % places.length];
    if (!place) throw new Error('no company');
    switch (variant) {
      case 'bare':
        return this.bare(place);
      case 'issue':
        return this.context.get(IssueDocument).execute(place.caller, anInvoice(place));
      case 'issueWithKey':
        return this.issueWithKey(place);
      case 'replay':
        return this.replay();
    }
  }

  /** The service's work for a new key: a look-up and issuing the document. */
  private async issueWithKey(place: Place): Promise<unknown> {
    const asked = anInvoice(place);
    const key = { key: randomUUID(), fingerprint: fingerprintOf(asked.type, asked) };
    this.keysUsed.push({ place, key });
    const replayed = await this.context.get(Idempotency).find(place.caller.companyId, key);
    if (replayed !== null) throw new Error('the key was used');
    const call = {
      key,
      responseTo: (issued: Parameters<typeof presentIssuedDocument>[0]) =>
        JSON.stringify(presentIssuedDocument(issued)),
    };
    return this.context.get(IssueDocument).execute(place.caller, asked, call);
  }

  /** The service's work for a known key: reading the stored response. */
  private async replay(): Promise<void> {
    const used = this.keysUsed[this.turn % this.keysUsed.length];
    const { place, key } = used ?? fail();
    const response = await this.context.get(Idempotency).find(place.caller.companyId, key);
    if (response === null) throw new Error('the key was not kept');
  }

  /** Writes the same rows in one transaction, without numbering, locks and look-ups. */
  private bare({ caller: { companyId }, entityId }: Place): Promise<void> {
    const id = this.bareNumber++;
    const { body, response } = this;
    const texts = {
      visibleId: randomUUID(),
      eventId: `evt_${randomUUID()}`,
      body,
      key: randomUUID(),
      response,
    };
    const fingerprint = fingerprintOf('TAX_INVOICE', { id });
    return this.context.get(Transactions).run(async (tx) => {
      await within(tx).changed(BARE, { id, companyId, entityId, ...texts, fingerprint });
    });
  }

  /** Makes the bare rows as long as the real ones. */
  private async learnTexts(): Promise<void> {
    await this.call('issueWithKey');
    const [event] = await this.context.database.query<{ body: string }>('select body from outbox_events');
    const [stored] = await this.context.database.query<{ response: string }>(
      'select response from idempotency_keys',
    );
    this.body = event?.body ?? fail();
    this.response = stored?.response ?? fail();
  }
}

async function newPlace(context: TestContext): Promise<Place> {
  const { companyId, userId } = await context.get(CreateCompany).execute('Acme', 'Owner');
  const caller: Caller = { companyId, userId, apiKeyId: 0, role: 'owner' };
  const details = { name: 'Client', taxId: '514000000', type: 'COMPANY' as const };
  const { id } = await context.get(CreateParty).execute(caller, 'client', { details, contact: null });
  return { caller, entityId: id };
}

function anInvoice({ entityId }: Place): NewDocument {
  const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
  return { type: 'TAX_INVOICE', entityId, items, payments: [] };
}

function fail(): never {
  throw new Error('there is nothing to compare with');
}
