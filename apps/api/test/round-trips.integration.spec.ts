import { randomUUID } from 'node:crypto';
import { CreateProduct } from '@counterfoil/catalog';
import { DocumentsModule, IssueDocument } from '@counterfoil/documents';
import type { IdempotentCall } from '@counterfoil/idempotency';
import { CreateCompany } from '@counterfoil/identity';
import { CreateStockRecord, CreateWarehouse, InventoryModule, RecordMovement } from '@counterfoil/inventory';
import { type Caller, fingerprintOf } from '@counterfoil/kernel';
import { CreateContact, CreateParty, PartiesModule } from '@counterfoil/parties';
import { roundTripsOf, startTestContext, type TestContext } from '@counterfoil/test-harness';

const CALLS = 5;

/**
 * Returns the trips of the call that makes fewest of several: a connection prepares the deferred statements when it
 * first runs them, and the process may send something of its own during a call.
 */
async function leastTripsOf(call: () => Promise<unknown>): Promise<number> {
  const trips: number[] = [];
  while (trips.length < CALLS) trips.push(await roundTripsOf(call));
  return Math.min(...trips);
}

type Keyed = IdempotentCall<unknown> | null;

const withKey = (): Keyed => {
  const key = randomUUID();
  return { key: { key, fingerprint: fingerprintOf('test', { key }) }, responseTo: () => '{}' };
};

/** Without the look-up of the API key, and of the idempotency key before the call. */
describe('round trips to the database', () => {
  let context: TestContext;
  let caller: Caller;
  let entityId: number;
  let inventoryId: number;

  beforeAll(async () => {
    context = await startTestContext([DocumentsModule, PartiesModule, InventoryModule]);
    const { companyId, userId } = await context.get(CreateCompany).execute('Acme', 'Owner');
    caller = { companyId, userId, apiKeyId: 0, role: 'owner' };
    const details = { name: 'Client', taxId: '514000000', type: 'COMPANY' as const };
    ({ id: entityId } = await context.get(CreateParty).execute(caller, 'client', { details, contact: null }));
    inventoryId = await stockRecord();
  });
  afterAll(() => context.close());

  async function stockRecord(): Promise<number> {
    const prices = { buyingPrice: null, sellingPrice: null };
    const product = {
      name: 'Paper',
      sku: 'A4',
      manufacturerSku: null,
      unit: null,
      isActive: true,
      serials: [],
    };
    const { id: productId } = await context.get(CreateProduct).execute(caller, { ...product, ...prices });
    const warehouseId = await context.get(CreateWarehouse).execute(caller, { name: 'Main', addressId: null });
    const wanted = { productId, warehouseId, lowStockThreshold: null };
    return (await context.get(CreateStockRecord).execute(caller, wanted)).id;
  }

  const issue = (call: Keyed) => {
    const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
    const invoice = { type: 'TAX_INVOICE' as const, entityId, items, payments: [] };
    return context.get(IssueDocument).execute(caller, invoice, call);
  };
  const createVendor = (call: Keyed) => {
    const details = { name: 'Vendor', taxId: '514000000', type: 'COMPANY' as const };
    return context.get(CreateParty).execute(caller, 'vendor', { details, contact: null }, call);
  };
  const createContact = (call: Keyed) => {
    const contact = { firstName: 'Dana', lastName: null, email: null, phoneNumber: null, addressId: null };
    return context.get(CreateContact).execute(caller, contact, call);
  };
  const move = (call: Keyed) => {
    const rest = {
      targetWarehouseId: null,
      unitPrice: null,
      reason: null,
      referenceId: null,
      referenceType: null,
    };
    const movement = { inventoryId, movementType: 'ADD' as const, quantity: 1, ...rest, notes: null };
    return context.get(RecordMovement).execute(caller, movement, call);
  };

  it.each([
    { name: 'issuing a document', work: issue, trips: 4, tripsWithKey: 4 },
    { name: 'creating a vendor', work: createVendor, trips: 2, tripsWithKey: 3 },
    { name: 'creating a contact', work: createContact, trips: 2, tripsWithKey: 3 },
    { name: 'moving stock', work: move, trips: 2, tripsWithKey: 3 },
  ])('$name takes $trips, and $tripsWithKey with a key', async ({ work, trips, tripsWithKey }) => {
    expect(await leastTripsOf(() => work(null))).toBe(trips);
    expect(await leastTripsOf(() => work(withKey()))).toBe(tripsWithKey);
  });
});
