import type { IssuedContent } from '@counterfoil/documents';
import { vatByRate } from '@counterfoil/documents';
import { decimal, sum, toMoney } from '@counterfoil/kernel';

type Item = IssuedContent['items'][number];
type Issuer = IssuedContent['parties']['issuer'];
type Recipient = IssuedContent['parties']['recipient'];

const ISSUER: Issuer = {
  name: 'Cedar Workshop',
  taxId: '514123456',
  legalName: null,
  address: { street: 'Harbour Street', houseNumber: '12', city: 'Haifa', zipCode: '3303112', country: 'IL' },
  phoneNumber: null,
  email: null,
  website: null,
  bankAccounts: [],
  documentFooter: null,
  accentColor: null,
  logoFileId: null,
  documentLanguage: null,
};

const RECIPIENT: Recipient = {
  name: 'Blue Lantern Books',
  taxId: '520000472',
  address: { street: 'Olive Lane', houseNumber: '7', city: 'Tel Aviv', zipCode: '6436101', country: 'IL' },
};

export type IssuedOverrides = Partial<Omit<IssuedContent, 'items' | 'parties'>> & {
  readonly items?: readonly Partial<Item>[];
  readonly issuer?: Partial<Issuer>;
  readonly recipient?: Partial<Recipient>;
  /** The difference that rounding makes to the total. */
  readonly rounding?: number;
};

/** An invoice of two items with its totals; overrides of items change its totals, too. */
export function anIssuedDocument(overrides: IssuedOverrides = {}): IssuedContent {
  const { items: asked = [{ quantity: 2, unitPrice: 150.5 }, {}], issuer, recipient, ...others } = overrides;
  const { rounding = 0, ...document } = others;
  const items = asked.map(withTotal);
  const amount = toMoney(sum(items.map(({ lineTotal }) => lineTotal)));
  const tax = toMoney(sum(vatByRate(items).map((vat) => vat.tax)));
  return {
    ...{ id: 1, visibleId: '3f2b6f0e-6c1d-4c8e-9a53-0d6f3c1f9a77', type: 'TAX_INVOICE', number: 1042 },
    ...{ externalId: null, entityId: 1, retainerId: null, issueDate: '2026-11-22', dueDate: '2026-12-22' },
    ...{ periodFrom: null, periodUntil: null },
    ...{ currency: 'ILS', amount, tax, totalWithTax: toMoney(sum([amount, tax, rounding])) },
    ...{ status: 'OPEN', remainingAmount: 0, coveredAmount: 0, changeNumber: 1 },
    ...{ allocationNumber: null, allocationNumberStatus: null, cancelled: false, cancellationReason: null },
    ...{
      refundOf: null,
      notes: null,
      payments: [],
      allocations: [],
      linkedDocumentIds: [],
      withholding: null,
    },
    ...{ createdAt: new Date('2026-11-22T09:30:00Z'), updatedAt: new Date('2026-11-22T09:30:00Z') },
    entity: { id: 1, visibleId: '5c1f9a77-6c1d-4c8e-9a53-0d6f3c1f9a77', name: 'Blue Lantern Books' },
    settledAtIssue: [],
    ...document,
    items,
    parties: { issuer: { ...ISSUER, ...issuer }, recipient: { ...RECIPIENT, ...recipient } },
  };
}

function withTotal(overrides: Partial<Item>): Item {
  const defaults = { description: 'Oak shelf', quantity: 1, unitPrice: 100, discountPercent: 0, vatRate: 18 };
  const item = { ...defaults, productId: null, ...overrides };
  const payable = decimal(100).minus(item.discountPercent).times(0.01);
  const lineTotal = toMoney(decimal(item.quantity).times(item.unitPrice).times(payable));
  return { lineTotal, ...item };
}
