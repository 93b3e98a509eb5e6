import { EventCatalogue, type NewEvent } from '@counterfoil/outbox';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { aCard, aCharge, anOperation } from '../testing/a-charge';
import { attached, detached, eventsOf, PAYMENT_EVENTS } from './events';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const catalogue = new EventCatalogue(PAYMENT_EVENTS);

const BODY = {
  id: 5,
  amount: 10,
  currency: 'ILS',
  status: 'SUCCEEDED',
  authorizedOnly: false,
  capturedAmount: 10,
  refundedAmount: 0,
  tokenId: 7,
  entityId: 3,
  documentId: 4,
  failureCode: null,
  createdAt: '2026-11-21T10:00:00.000Z',
};
const whose = { entityId: 3, documentId: 4 };
const succeeded = aCharge({ ...whose, status: 'SUCCEEDED', capturedAmount: 10 });
const authorized = aCharge({ ...whose, status: 'AUTHORIZED' });

/** Asserts that the event matches the schema in the catalogue. */
function assertCatalogued({ type, data }: NewEvent): void {
  const { schema, example } = catalogue.find(type);
  const valid = ajv.compile(schema);
  const envelope: unknown = JSON.parse(JSON.stringify({ ...example, type, data }));
  expect(valid(envelope) ? [] : valid.errors).toEqual([]);
}

const ended = (kind: 'SALE' | 'AUTHORIZATION' | 'CAPTURE' | 'VOID' | 'REFUND') =>
  anOperation({ kind, state: 'SUCCEEDED' });

describe('the events of operations (contract §15.4)', () => {
  it.each([
    ['charge.succeeded', 'SALE', succeeded, BODY],
    [
      'charge.succeeded',
      'AUTHORIZATION',
      authorized,
      { ...BODY, status: 'AUTHORIZED', authorizedOnly: true, capturedAmount: 0 },
    ],
    ['charge.captured', 'CAPTURE', succeeded, BODY],
    [
      'charge.canceled',
      'VOID',
      { ...authorized, status: 'CANCELED' },
      { ...BODY, status: 'CANCELED', authorizedOnly: true, capturedAmount: 0 },
    ],
  ] as const)('%s, of a %s', (type, kind, charge, body) => {
    const events = eventsOf(charge, ended(kind));
    expect(events).toEqual([{ type, data: { charge: body } }]);
    events.forEach(assertCatalogued);
  });

  it('charge.failed, with the reason', () => {
    const charge = aCharge({ status: 'FAILED', failureCode: 'DECLINED' });
    const events = eventsOf(charge, anOperation({ state: 'FAILED', failureCode: 'DECLINED' }));
    const body = { ...BODY, status: 'FAILED', capturedAmount: 0, failureCode: 'DECLINED' };
    const data = { charge: { ...body, entityId: null, documentId: null } };
    expect(events).toEqual([{ type: 'charge.failed', data }]);
    events.forEach(assertCatalogued);
  });

  it.each([null, 'Returned goods'])('refund.created, with the reason %p', (reason) => {
    const operation = { ...ended('REFUND'), amount: 2.5, reason };
    const events = eventsOf({ ...succeeded, refundedAmount: 2.5 }, operation);
    const refund = {
      id: 11,
      amount: 2.5,
      currency: 'ILS',
      reason,
      chargeId: 5,
      createdAt: '2026-11-21T10:00:01.000Z',
    };
    const data = { charge: { ...BODY, refundedAmount: 2.5 }, refund };
    expect(events).toEqual([{ type: 'refund.created', data }]);
    events.forEach(assertCatalogued);
  });

  it.each(['CAPTURE', 'VOID', 'REFUND'] as const)('none for a %s that was declined', (kind) => {
    const charge = kind === 'REFUND' ? succeeded : authorized;
    expect(eventsOf(charge, anOperation({ kind, state: 'FAILED', failureCode: 'NO' }))).toEqual([]);
  });

  it.each([
    ['payment_method.attached', attached],
    ['payment_method.detached', detached],
  ] as const)('%s, without chargeable data', (type, eventOf) => {
    for (const entityId of [null, 3]) {
      const event = eventOf(aCard({ entityId }));
      const paymentMethod = {
        id: 7,
        brand: 'VISA',
        last4: '4242',
        expiryMonth: 12,
        expiryYear: 2034,
        entityId,
      };
      expect(event).toEqual({ type, data: { paymentMethod } });
      assertCatalogued(event);
    }
  });
});
