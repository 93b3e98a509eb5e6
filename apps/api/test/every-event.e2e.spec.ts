import { EVENT_CATALOGUE } from '@counterfoil/event-catalogue';
import {
  type EventReceiver,
  freePorts,
  type MailReceiver,
  queueStores,
  type ReceivedEvent,
  startEventReceiver,
  startMailReceiver,
  startService,
  type TestService,
  until,
} from '@counterfoil/test-harness';
import { verifyWebhook } from '@counterfoil/webhook-verifier';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { closed } from './documented-schemas';

const LIMIT_MS = 30_000;
const ITEM = { description: 'Consulting', quantity: 1, unitPrice: 100 };
/** The date in Israel, so that a retainer is due. */
const TODAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jerusalem' }).format(new Date());

interface Told {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

type Made = Readonly<Record<string, number>> & { readonly visibleId: string; readonly status: string };

/** A subscriber to all events, with the product in use. */
class Site {
  private constructor(
    readonly service: TestService,
    readonly receiver: EventReceiver,
    readonly mails: MailReceiver,
    readonly secret: string,
  ) {}

  static async start(store: ReturnType<typeof queueStores>[number]): Promise<Site> {
    const receiver = await startEventReceiver();
    const mails = await startMailReceiver();
    const service = await startService(store, {
      ...receiver.settings,
      ...mails.settings,
      SCHEDULER_INTERVAL: '500ms',
      WEBHOOK_PAUSE_AFTER: '1ms',
    });
    const hook = { url: receiver.url, events: ['*'] };
    const { body } = await service.request<{ secret: string }>('POST', '/webhooks', hook);
    return new Site(service, receiver, mails, body.secret);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await Promise.all([this.receiver.close(), this.mails.close()]);
  }

  async call(method: string, path: string, body?: object): Promise<Made> {
    const answer = await this.service.request<Made>(method, path, body);
    const outcome = answer.status < 300 ? 'ok' : answer.body;
    expect({ path, outcome }).toEqual({ path, outcome: 'ok' });
    return answer.body;
  }

  post(path: string, body?: object): Promise<Made> {
    return this.call('POST', path, body);
  }

  get told(): Told[] {
    return this.receiver.received.map(({ body }) => JSON.parse(body) as Told);
  }

  /** Waits for an event of a type that matches, and returns it. */
  async arrived(type: string, about: (data: Told['data']) => boolean): Promise<Told> {
    const found = () => this.told.find((event) => event.type === type && about(event.data));
    await until(`${type} to arrive`, () => found() !== undefined, LIMIT_MS);
    return found()!;
  }
}

describe.each(queueStores())('every type of event, sent by the worker over the $kind queue', (store) => {
  let site: Site;
  let entityId: number;

  beforeAll(async () => {
    site = await Site.start(store);
    const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
    entityId = (await site.post('/clients/create', client))['clientId']!;
    await site.post('/vendors/create', { entityId });
  });
  afterAll(() => site.stop());

  const issue = (type: string, more: object = {}) =>
    site.post(`/documents/create/${type}`, { entityId, items: [ITEM], ...more });
  const ofDocument = (visibleId: string) => (data: Told['data']) => data['document']?.['id'] === visibleId;
  const purchase = () => {
    const invoice = { documentNumber: 'D-1', date: TODAY, currency: 'ILS', total: 118, tax: 18 };
    return site.post('/purchase/create', { ...invoice, vendorId: entityId });
  };
  const saveCard = async (providerToken: string) =>
    (await site.post('/gateway/tokens', { provider: 'sandbox', providerToken, entityId }))['tokenId']!;
  const charge = async (providerToken: string, more: object = {}) =>
    site.post('/gateway/charges', { tokenId: await saveCard(providerToken), amount: 100, ...more });
  const ofCharge = (chargeId: unknown) => (data: Told['data']) => data['charge']?.['id'] === chargeId;

  describe('document.created', () => {
    it('for a document issued by a call', async () => {
      const { visibleId } = await issue('quote');
      await site.arrived('document.created', ofDocument(visibleId));
    });

    it('for a document issued by the recurring-billing job', async () => {
      const terms = { entityId, items: [ITEM], currency: 'ILS', documentType: 'PROFORMA' };
      const due = { ...terms, interval: 'MONTHLY', nextRunDate: TODAY };
      const { retainerId } = await site.post('/retainers/create', due);
      const { data } = await site.arrived(
        'document.created',
        ({ document }) => document?.['retainerId'] === retainerId,
      );
      expect(data['document']).toMatchObject({ type: 'PROFORMA', issueDate: TODAY, entityId });
    });

    it('for a supplier invoice', async () => {
      const { visibleId } = await purchase();
      await site.arrived('document.created', ofDocument(visibleId));
    });
  });

  it('document.sent and document.send_failed, for each recipient of a document', async () => {
    site.mails.refuseWith((recipient) => (recipient.startsWith('nobody') ? '550 5.1.1 User unknown' : null));
    const { visibleId } = await issue('quote');
    const to = ['dana@example.com', 'nobody@example.com'];
    await site.post(`/documents/id/${visibleId}/send`, { to });
    const sent = await site.arrived('document.sent', ofDocument(visibleId));
    expect(sent.data['sending']).toMatchObject({ failure: null });
    const failed = await site.arrived('document.send_failed', ofDocument(visibleId));
    expect(failed.data['sending']).toMatchObject({ failure: 'refused' });
  });

  describe('document.status_changed', () => {
    const changed = async (visibleId: string) =>
      (await site.arrived('document.status_changed', ofDocument(visibleId))).data['reason'];

    it('for a document that is closed by hand', async () => {
      const { visibleId } = await issue('quote');
      await site.post(`/documents/close/${visibleId}`);
      expect(await changed(visibleId)).toBe('MANUAL');
    });

    it('for a document that another one covers', async () => {
      const { id, visibleId } = (await issue('order')) as Made & { id: number };
      await issue('proforma', { linkedDocumentIds: [id] });
      expect(await changed(visibleId)).toBe('COVERED');
    });

    it('for an invoice that a receipt pays, with document.allocated for the receipt', async () => {
      const invoice = await issue('tax-invoice');
      const payments = [{ method: 'CASH', amount: 50 }];
      const allocations = [{ documentId: invoice['id'], amount: 50 }];
      const receipt = await issue('receipt', { items: [], payments, allocations });
      expect(await changed(invoice.visibleId)).toBe('ALLOCATION');
      await site.arrived('document.allocated', ofDocument(receipt.visibleId));
    });
  });

  it.each(['receipt', 'refund'])('document.cancelled for a %s', async (type) => {
    const payments = type === 'receipt' ? { items: [], payments: [{ method: 'CASH', amount: 50 }] } : {};
    const { visibleId } = await issue(type, payments);
    await site.post(`/documents/cancel/${visibleId}`, { reason: 'Entered twice' });
    await site.arrived('document.cancelled', ofDocument(visibleId));
  });

  it('document.cancelled for a supplier invoice', async () => {
    const { visibleId } = await purchase();
    await site.post(`/purchase/cancel/${visibleId}`, { reason: 'Entered twice' });
    await site.arrived('document.cancelled', ofDocument(visibleId));
  });

  it.each(['refund', 'return'])('document.refunded for an invoice that a %s credits', async (type) => {
    const { id, visibleId } = (await issue('tax-invoice')) as Made & { id: number };
    await issue(type, { refundOf: id });
    const { data } = await site.arrived('document.refunded', ofDocument(visibleId));
    expect(data['refundedBy']).toMatchObject({ type: type.toUpperCase() });
  });

  describe('document.approval_number.assigned', () => {
    it('for an invoice whose number came after it was issued', async () => {
      const large = { items: [{ ...ITEM, unitPrice: 50_000 }] };
      const issued = await issue('tax-invoice', large);
      expect(issued).toMatchObject({ approvalNumberStatus: 'PENDING' });
      await site.arrived('document.approval_number.assigned', ofDocument(issued.visibleId));
    });

    it('for an invoice whose number was entered by hand', async () => {
      const { visibleId } = await issue('tax-invoice');
      await site.post(`/documents/approval-number/${visibleId}`, { approvalNumber: '123456789' });
      await site.arrived('document.approval_number.assigned', ofDocument(visibleId));
    });
  });

  describe('charge.succeeded', () => {
    it.each([
      ['tok_approved', 'SUCCEEDED', false],
      ['tok_authorize_only', 'AUTHORIZED', true],
      // The answer is lost, so the worker asks the provider for the outcome.
      ['tok_timeout', 'SUCCEEDED', false],
    ])('for %s', async (token, status, authorizedOnly) => {
      const { chargeId } = await charge(token);
      const { data } = await site.arrived('charge.succeeded', ofCharge(chargeId));
      expect(data['charge']).toMatchObject({ status, authorizedOnly, entityId, amount: 100 });
    });

    it('for a due recurring payment', async () => {
      const tokenId = await saveCard('tok_approved');
      const due = { tokenId, amount: 12.5, interval: 'MONTHLY', nextRunDate: TODAY };
      await site.post('/gateway/recurring-payments', due);
      const ofToken = (data: Told['data']) => data['charge']?.['tokenId'] === tokenId;
      expect((await site.arrived('charge.succeeded', ofToken)).data['charge']).toMatchObject({
        amount: 12.5,
      });
    });
  });

  it.each(['tok_declined', 'tok_lost'])('charge.failed for %s', async (token) => {
    const { chargeId } = await charge(token);
    const { data } = await site.arrived('charge.failed', ofCharge(chargeId));
    expect(data['charge']).toMatchObject({ status: 'FAILED', failureCode: 'DECLINED', capturedAmount: 0 });
  });

  it('charge.captured', async () => {
    const { chargeId } = await charge('tok_approved', { capture: false });
    await site.post(`/gateway/charges/${chargeId}/capture`, { amount: 60 });
    const { data } = await site.arrived('charge.captured', ofCharge(chargeId));
    expect(data['charge']).toMatchObject({ status: 'SUCCEEDED', authorizedOnly: false, capturedAmount: 60 });
  });

  it('charge.canceled', async () => {
    const { chargeId } = await charge('tok_approved', { capture: false });
    await site.post(`/gateway/charges/${chargeId}/cancel`);
    const { data } = await site.arrived('charge.canceled', ofCharge(chargeId));
    expect(data['charge']).toMatchObject({ status: 'CANCELED', authorizedOnly: true, capturedAmount: 0 });
  });

  it('refund.created', async () => {
    const { chargeId } = await charge('tok_approved');
    const asked = { amount: 0.1, reason: 'Returned in part' };
    const { refundId } = await site.post(`/gateway/charges/${chargeId}/refund`, asked);
    const { data } = await site.arrived('refund.created', ofCharge(chargeId));
    expect(data['charge']).toMatchObject({ status: 'SUCCEEDED', refundedAmount: 0.1 });
    expect(data['refund']).toMatchObject({ id: refundId, ...asked, chargeId });
  });

  it('payment_method.attached and payment_method.detached', async () => {
    const tokenId = await saveCard('tok_approved');
    await site.call('DELETE', `/gateway/tokens/${tokenId}`);
    const ofCard = ({ paymentMethod }: Told['data']) => paymentMethod?.['id'] === tokenId;
    for (const type of ['payment_method.attached', 'payment_method.detached']) {
      const { data } = await site.arrived(type, ofCard);
      expect(data['paymentMethod']).toMatchObject({ brand: 'VISA', last4: '4242', entityId });
    }
  });

  it('expense.created, expense.updated and expense.deleted', async () => {
    const spent = { documentNumber: 'R-1', date: TODAY, total: 118, tax: 18, deductableTax: 18 };
    const fileId = await site.service.upload('receipt');
    const { expenseId } = await site.post('/expenses/create', { ...spent, vendorId: entityId, fileId });
    await site.call('PUT', `/expenses/edit/${expenseId}`, { total: 120 });
    await site.call('DELETE', `/expenses/delete/${expenseId}`);
    for (const type of ['expense.created', 'expense.updated', 'expense.deleted'])
      await site.arrived(type, ({ expense }) => expense?.['id'] === expenseId);
  });

  it('stock.movement.recorded and stock.low', async () => {
    const { productId } = await site.post('/products/create', { name: 'Paper', sku: 'A4' });
    const { warehouseId } = await site.post('/warehouses/create', { name: 'Main' });
    const record = { productId, warehouseId, lowStockThreshold: 3 };
    const { inventoryId } = await site.post('/inventory/create', record);
    for (const [movementType, quantity] of [
      ['ADD', 5],
      ['SUBTRACT', 2],
    ] as const)
      await site.post('/inventory/movements/create', { inventoryId, movementType, quantity });
    await site.arrived(
      'stock.movement.recorded',
      ({ movement }) => movement?.['inventoryId'] === inventoryId,
    );
    await site.arrived('stock.low', ({ inventory }) => inventory?.['id'] === inventoryId);
  });

  it('document.viewed', async () => {
    const { id, visibleId } = await issue('quote');
    const { url } = (await site.post(`/documents/id/${id}/share`, {})) as unknown as { url: string };
    for (let views = 1; views <= 2; views++) expect((await fetch(url)).status).toBe(200);
    const { data } = await site.arrived('document.viewed', ofDocument(visibleId));
    expect(data).toMatchObject({ share: { views: 1 } });
  });

  it('retainer.document_refused', async () => {
    const company = await site.service.request('GET', '/company');
    await site.call('PUT', '/company', { defaultVatRate: 0 });
    const items = [{ ...ITEM, quantity: 100, unitPrice: 9_999_999_999 }];
    const terms = { entityId, items, currency: 'ILS', documentType: 'QUOTE' };
    const tomorrow = new Date(Date.parse(TODAY) + 86_400_000).toISOString().slice(0, 10);
    const asked = { ...terms, interval: 'MONTHLY', nextRunDate: tomorrow };
    const { retainerId } = await site.post('/retainers/create', asked);
    await site.call('PUT', '/company', { defaultVatRate: company.body['defaultVatRate'] });
    // It is due tomorrow, so its date is changed to today.
    await site.service.database.query('update schedules set next_run_date = $2 where id = $1', [
      retainerId,
      TODAY,
    ]);
    const { data } = await site.arrived(
      'retainer.document_refused',
      ({ retainer }) => retainer?.['id'] === retainerId,
    );
    expect(data).toMatchObject({ runDate: TODAY, code: 'VALIDATION_FAILED' });
  });

  it('webhook.endpoint_paused', async () => {
    const url = `https://127.0.0.1:${(await freePorts(1))[0]}/`;
    const hook = await site.service.request<{ id: string }>('POST', '/webhooks', {
      url,
      events: ['stock.low'],
    });
    const at = `/webhooks/${hook.body.id}`;
    const read = async () => (await site.service.request<{ pausedAt: string | null }>('GET', at)).body;
    await until(
      'it to be paused',
      async () => {
        await site.post(`${at}/test`);
        return (await read()).pausedAt !== null;
      },
      LIMIT_MS,
    );
    const { data } = await site.arrived(
      'webhook.endpoint_paused',
      ({ endpoint }) => endpoint?.['id'] === hook.body.id,
    );
    expect(data['endpoint']).toMatchObject({ pausedAt: (await read()).pausedAt });
  });

  describe('the received events', () => {
    let schemas: ReadonlyMap<string, ValidateFunction>;

    beforeAll(async () => {
      const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
      addFormats.default(ajv);
      const { body } = await site.service.request<{ data: { type: string; schema: object }[] }>(
        'GET',
        '/webhooks/event-types',
      );
      const compiled = body.data.map(
        ({ type, schema }) => [type, ajv.compile(closed(schema) as object)] as const,
      );
      schemas = new Map(compiled);
    });

    const arrivedOf = (type: string): ReceivedEvent[] =>
      site.receiver.received.filter(({ headers }) => headers['service-event-type'] === type);

    it.each(EVENT_CATALOGUE.types)('include %s, signed and matching its published schema', (type) => {
      const events = arrivedOf(type);
      expect(events.length).toBeGreaterThan(0);
      const validate = schemas.get(type)!;
      for (const { headers, body } of events) {
        const event = verifyWebhook({ headers, body, secret: site.secret });
        const fits = validate(event);
        expect({ body, fits, errors: validate.errors }).toEqual({ body, fits: true, errors: null });
        expect(event).toMatchObject({ type, id: headers['service-event-id'] });
      }
    });

    it('have every type of the catalogue, and no other', () => {
      expect([...new Set(site.told.map(({ type }) => type))].sort()).toEqual(
        [...EVENT_CATALOGUE.types].sort(),
      );
    });
  });
});
